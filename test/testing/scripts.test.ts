import { scriptedMcpServer, scriptedModel, scriptedShell, stubSpawner } from 'toolwright/testing';
import { expect, test } from 'vitest';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';

const mistakes: readonly (readonly [make: (given: never) => unknown, given: unknown, message: string])[] = [
  [scriptedMcpServer, { fault: 'hang' }, 'fault takes "exits_at_start", "crashes_at_start"'],
  [scriptedMcpServer, { tool: [] }, 'tool is no option. Did you mean "tools"?'],
  [scriptedMcpServer, { tools: { echo: {} } }, 'tools takes a list'],
  [scriptedMcpServer, [{ name: 'echo' }], 'scriptedMcpServer takes an object'],
  [scriptedModel, [{ text: 'a' }], 'An answer of scriptedModel takes an object'],
  [scriptedModel, { call: [] }, 'call is no option. Did you mean "calls"?'],
  [scriptedModel, { calls: { name: 'Bash' } }, 'calls takes a list'],
  [scriptedShell, undefined, 'scriptedShell takes a function, or outcomes'],
  [scriptedShell, ['npm test'], 'got a list of strings'],
  [scriptedShell, { 'npm test': 1 }, 'scriptedShell takes a function, or outcomes'],
  [stubSpawner, 'done', 'stubSpawner takes texts or a function, got a string'],
];
test('a stub spawner records each request before its answer', async () => {
  const spawner = stubSpawner(({ prompt }) => {
    if (prompt === 'fails') throw new Error('no');
    return `${prompt} ${spawner.requests.length}`;
  });
  const spawn = (prompt: string) => spawner.spawn({ prompt } as never, callScope()).catch(String);
  expect(await Promise.all([spawn('fails'), spawn('b')])).toEqual([
    'Error: no',
    expect.objectContaining({ output: 'b 2' }),
  ]);
  expect(spawner.requests.map(({ prompt }) => prompt)).toEqual(['fails', 'b']);
});

test('an invalid script that would count as empty is rejected', () =>
  eachRow(mistakes, ([make, given, message]) => {
    expect(() => make(given as never)).toThrow(TypeError);
    expect(() => make(given as never)).toThrow(message);
  }));
