/**
 * Devices that an agent may use: one connects, declares its commands, is invoked under a rule, and reconnects.
 *
 * npx tsx examples/nodes.ts   needs no network and no key
 */
import { createPermissions, createToolkit } from 'toolwright';
import { nodesTool, webSocketNodes } from 'toolwright/extras/nodes';
import { runNode } from './nodes/node.js';

const token = `made-up-token-${process.pid}`;
const nodes = webSocketNodes({ port: 0, token });
const url = await nodes.url();
const asked: string[] = [];
const toolkit = createToolkit({
  root: process.cwd(),
  permissions: createPermissions({
    allow: ['nodes(desk:lamp)'],
    onAsk: ({ title }) => {
      asked.push(title);
      return 'deny';
    },
  }),
});
toolkit.registry.register(nodesTool(nodes));

const call = async (input: object): Promise<string> => {
  const { output } = await toolkit.call('nodes', input);
  process.stdout.write(`\nnodes ${JSON.stringify(input)}\n${output}\n`);
  return output;
};
const listed = async (wanted: string): Promise<void> => {
  while ((await toolkit.call('nodes', { action: 'list' })).output !== wanted) await new Promise(setImmediate);
};

let light = 'off';
const commands = {
  lamp: {
    about: 'Turn the lamp on or off',
    inputSchema: { type: 'object', properties: { state: { enum: ['on', 'off'] } }, required: ['state'] },
    run: ({ state }: Record<string, unknown>) => {
      light = String(state);
      return { light };
    },
  },
  unlock: { about: 'Open the door', run: () => 'open' },
};
let stop = runNode(url, token, 'desk', commands);
try {
  await listed('desk (connected): lamp, unlock');
  const described = await call({ action: 'describe', node: 'desk', command: 'lamp' });
  const lit = await call({ action: 'invoke', node: 'desk', command: 'lamp', input: { state: 'on' } });
  const wrong = await call({ action: 'invoke', node: 'desk', command: 'lamp', input: { state: 'blue' } });
  const refused = await call({ action: 'invoke', node: 'desk', command: 'unlock' });
  stop();
  await listed('desk (not connected): lamp, unlock');
  const away = await call({ action: 'invoke', node: 'desk', command: 'lamp', input: { state: 'off' } });
  stop = runNode(url, token, 'desk', commands);
  await listed('desk (connected): lamp, unlock');
  await call({ action: 'invoke', node: 'desk', command: 'lamp', input: { state: 'off' } });
  const checks = {
    'the node says what it can do': described.includes('- lamp: Turn the lamp on or off'),
    'what a rule allows is carried out': lit.includes('"light": "on"'),
    'an input that does not fit the schema does not reach the node': wrong.includes('input.state: must be one of'),
    'what no rule allows is asked': asked.join() === 'Invoke desk:unlock' && refused.startsWith('Error:'),
    'a node that is away says so': away.includes('desk is not connected'),
    'and is used again when it is back': light === 'off',
  };
  process.stdout.write('\n');
  for (const [expectation, holds] of Object.entries(checks))
    process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${expectation}\n`);
  if (!Object.values(checks).every(Boolean)) process.exitCode = 1;
} finally {
  stop();
  await toolkit.dispose();
  await nodes.dispose();
}
