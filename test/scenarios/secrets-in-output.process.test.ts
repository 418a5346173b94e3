import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolCallResult } from '../../src/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

const secrets = [
  ['ghp', 'A1b2C3d4E5f6'.repeat(3)].join('_'),
  ['sk', 'ant', 'api03', 'Zq8'.repeat(12)].join('-'),
  ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'].join('.'),
];

/** Writes every secret in two parts with a pause between them, to stdout and to stderr. */
function inPieces(offset: number): string {
  const write = (secret: string) =>
    [1, 2].map(
      (stream) =>
        `printf '%s' '${secret.slice(0, offset)}' >&${stream}; sleep 0.06; echo '${secret.slice(offset)}' >&${stream}`,
    );
  return ['echo begin', ...secrets.flatMap(write), 'echo end'].join('; ');
}

function expectNoFragment(seen: string): void {
  for (const secret of secrets) {
    for (let start = 0; start + 12 <= secret.length; start++)
      expect(seen).not.toContain(secret.slice(start, start + 12));
  }
}

test.each([5, 11, 20, 33])(
  'a secret written in two parts, cut at %i, is in no result, progress, event, task output or announcement',
  async (offset) => {
    const root = temporaryFolder();
    for (const separateOutput of [false, true]) {
      const toolkit = testToolkit({
        root,
        permissions: 'bypassPermissions',
        limits: { bash: { progressMs: 15 } },
        shell: { separateOutput },
      });
      const seen: unknown[] = [];
      const call = async (name: string, input: object): Promise<ToolCallResult> => {
        const result = await toolkit.call(name, input, { onEvent: (event) => seen.push(event) });
        seen.push(result);
        return result;
      };
      // The command does not contain the secret, because text of the model is not tested here.
      writeFileSync(join(root, 'print.sh'), inPieces(offset));
      const command = 'bash print.sh';
      const [foreground, started] = [
        await call('Bash', { command }),
        await call('Bash', { command, run_in_background: true }),
      ];
      const task_id = String(started.metadata?.taskId);
      let last = await call('TaskOutput', { task_id, block: false });
      while (last.output.startsWith('Status: running')) last = await call('TaskOutput', { task_id, timeout: 10 });
      seen.push(
        toolkit.drainNotifications(),
        await call('Read', { file_path: String(foreground.metadata?.outputFile) }),
      );

      expect(foreground.output.match(/\[REDACTED\]/g)).toHaveLength(2 * secrets.length);
      const text = JSON.stringify(seen);
      expect(text).toContain('"type":"tool-progress"');
      expect(text).toContain('"type":"task-update"');
      expectNoFragment(text);
    }
  },
);
