import { expect, test } from 'vitest';
import { restartShellTool } from '../../src/tools/native/restart-shell.js';

test('a restart names a bounded number of the processes that it ended', async () => {
  const ended = Array.from({ length: 200 }, (_, pid) => ({ pid, command: 'x'.repeat(200) }));
  const tool = restartShellTool({ endSession: async () => ended });
  const { output } = await tool.execute({}, { caller: { sessionId: 's' } } as never);
  expect(output).toMatch(/^The shell was restarted\. Ended: 0 \(x+\), .*, 4 \(x+\) and 195 more$/);
  expect(output.length).toBeLessThan(500);
});
