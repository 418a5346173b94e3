import { ToolError } from './error.js';
import { optionalPackage } from './support/optional-package.js';

/** Imports an optional package. Throws `not_configured` with the install command if it is missing. */
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
