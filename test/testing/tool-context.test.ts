import { toolContext } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { tool } from '../support/pipeline.js';

test('a tool can be called directly, and its progress is kept', async () => {
  const stop = AbortSignal.abort();
  const busy = tool('Busy', (_input, context) => {
    context.metadata({ title: 'half' });
    return `${context.callId} ${context.caller.sessionId} ${context.signal.aborted}`;
  });
  const context = toolContext({ caller: { sessionId: 's' }, signal: stop });
  expect(await busy.execute({}, context)).toEqual({ output: 'call_1 s true' });
  expect(context.updates).toEqual([{ title: 'half' }]);
});
