import type * as nodePty from '@lydell/node-pty';
import type * as headless from '@xterm/headless';
import { ToolError } from '../../core/error.js';
import { optionalPackage } from '../../core/support/optional-package.js';

/** A program on a pseudo-terminal. */
export type Pty = nodePty.IPty;
/** A headless terminal screen. */
export type HeadlessScreen = headless.Terminal;

/** The used parts of the two optional packages. */
export interface TerminalPackages {
  readonly spawn: typeof nodePty.spawn;
  readonly Terminal: typeof headless.Terminal;
}

/** Loads the packages; `not_configured` if one is missing. */
export async function loadTerminalPackages(): Promise<TerminalPackages> {
  try {
    const [{ spawn }, { Terminal }] = await Promise.all([
      optionalPackage('@lydell/node-pty').then((loaded) => ofCommonJs<typeof nodePty>(loaded)),
      optionalPackage('@xterm/headless').then((loaded) => ofCommonJs<typeof headless>(loaded)),
    ]);
    return { spawn, Terminal };
  } catch (cause) {
    throw new ToolError(
      'not_configured',
      'Interactive commands need the packages @lydell/node-pty and @xterm/headless. Ask the user to run: ' +
        'npm install @lydell/node-pty @xterm/headless',
      { cause },
    );
  }
}

function ofCommonJs<Module>(loaded: unknown): Module {
  const { default: exported } = loaded as { readonly default?: Module };
  return exported ?? (loaded as Module);
}
