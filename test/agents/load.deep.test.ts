import { test } from 'vitest';
import { leavesNothing } from '../support/agent-load.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('steered and cancelled agents leave no process, timer, listener or claim', async () => {
  await leavesNothing(temporaryFolder(), 20);
});
