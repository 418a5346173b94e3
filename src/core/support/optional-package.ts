/**
 * Imports a package that need not be installed. Bundlers leave it where it is: it is large, or brings programs for one
 * system.
 */
export function optionalPackage(name: '@vscode/ripgrep' | 'sharp' | 'typescript' | 'unpdf'): Promise<unknown> {
  return import(name);
}
