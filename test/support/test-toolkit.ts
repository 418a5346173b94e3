import { createToolkit } from 'toolwright';
import { onTestFinished } from 'vitest';
import type { Toolkit } from '../../src/core/registry/toolkit.js';
import type { ToolkitOptions } from '../../src/toolkit/options.js';
import { temporaryFolder } from './temporary-folder.js';

/** A toolkit that is disposed when the running test has finished. Default root: a fresh folder. */
export function testToolkit({ root = temporaryFolder(), ...options }: Partial<ToolkitOptions> = {}): Toolkit {
  const toolkit = createToolkit({ ...options, root });
  onTestFinished(() => toolkit.dispose());
  return toolkit;
}
