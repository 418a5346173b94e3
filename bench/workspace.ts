import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolkit, type ToolResult } from '../src/index.js';

/** A folder, and tools that work in it. A folder that it created is removed at the end. */
export interface Workspace extends AsyncDisposable {
  readonly root: string;
  /** Runs one call through the whole pipeline. Throws if it fails. */
  call(tool: string, input: object): Promise<ToolResult>;
}

/** Makes a temporary folder, or uses an existing one that stays, and a toolkit that may do everything in it. */
export function openWorkspace(existing?: string): Workspace {
  const root = existing ?? realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-')));
  const toolkit = createToolkit({ root, permissions: { check: async () => ({ behavior: 'allow' }) } });
  let calls = 0;
  return {
    root,
    async call(name, input) {
      const { results } = await toolkit.execute([{ id: `call_${++calls}`, name, input }]);
      const [result] = results;
      if (result?.ok !== true) throw new Error(result?.output ?? 'no result');
      return result;
    },
    async [Symbol.asyncDispose]() {
      await toolkit.dispose();
      if (existing === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Throws if the work was not done. */
export function expect(isDone: boolean, what: string): void {
  if (!isDone) throw new Error(`not done: ${what}`);
}
