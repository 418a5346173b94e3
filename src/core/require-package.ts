import { ToolError } from './error.js';
import { optionalPackage } from './support/optional-package.js';

/** Imports an optional package. If the package is missing, throws `not_configured` with the install command. */
export async function neededPackage<Package>(
  name: Parameters<typeof optionalPackage>[0],
  what: string,
): Promise<Package> {
  try {
    return (await optionalPackage(name)) as Package;
  } catch (cause) {
    const message = `${what} the package ${name}. To install it, run: npm install ${name}`;
    throw new ToolError('not_configured', message, { cause });
  }
}
