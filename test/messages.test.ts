import { beforeEach, expect } from 'vitest';
import * as z from 'zod/v4';
import {
  createPermissions,
  createRateLimiter,
  createToolkit,
  executeTools,
  Tool,
  ToolError,
  type ToolkitOptions,
} from '../src/index.js';
import { McpManager } from '../src/mcp.js';
import { lintRules } from '../src/policy.js';
import { commandBackend } from '../src/remote/index.js';
import { table } from './support/each-row.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { testToolkit } from './support/test-toolkit.js';

let root = '';

beforeEach(() => {
  root = temporaryFolder();
});

function toolkit(options: object = {}) {
  return testToolkit({ root, ...options } as ToolkitOptions);
}

const good = {
  description: 'Says a.',
  input: z.object({ a: z.string() }),
  sideEffect: 'none',
  execute: () => 'a',
} as const;
const define = (more: object, name = 'Say') => Tool.define(name, { ...good, ...more });
const call = (name: string, input: unknown) => ({ id: 'call_1', name, input });
const execute = (calls: unknown, options: object = {}) => toolkit(options).execute(calls as never);
const edit = () => ({ file_path: `${root}/a`, old_string: 'a', new_string: 'b' });
const onAsk = (answer: unknown) => ({ permissions: createPermissions({ onAsk: () => answer as never }) });
const hook = (answer: unknown) => ({
  permissions: 'bypassPermissions',
  hooks: { PreToolUse: [{ hooks: [() => answer] }] },
});

/**
 * A mistake and its whole message: the thrown error for a mistake of a program, the output of the call for a mistake of
 * a model.
 */
const mistakes: readonly (readonly [said: string, make: () => unknown])[] = [
  ['createToolkit: root must be an absolute path, not "src"', () => createToolkit({ root: 'src' })],
  ['createToolkit: pass root, the absolute path of the workspace', () => createToolkit({} as never)],
  ['createToolkit: permision is no option. Did you mean "permissions"?', () => toolkit({ permision: 'default' })],
  [
    'createToolkit: onAsk is no option. Write permissions: createPermissions({ onAsk }).',
    () => toolkit({ onAsk: () => 'deny' }),
  ],
  ['createToolkit: cwd is no option. Write root: cwd.', () => createToolkit({ cwd: root } as never)],
  [
    'createToolkit: tools is no option. Write toolkit.registry.register(...tools) after createToolkit.',
    () => toolkit({ tools: [] }),
  ],
  [
    'Permission mode "acceptEdit" is unknown. Did you mean "acceptEdits"?',
    () => toolkit({ permissions: 'acceptEdit' }),
  ],
  ['limits.bsh is not a group of limits. Did you mean "bash"?', () => toolkit({ limits: { bsh: {} } })],
  [
    'limits.bash.timeout is not a limit. Did you mean "timeoutMs"?',
    () => toolkit({ limits: { bash: { timeout: 5 } } }),
  ],
  [
    'createToolkit: permissions takes a mode name, the result of createPermissions({ allow, ask, deny }), or an object with a method check(request, scope), not an object with allow',
    () => toolkit({ permissions: { allow: ['Read'] } }),
  ],
  [
    'executeTools: permissions takes a mode name, the result of createPermissions({ allow, ask, deny }), or an object with a method check(request, scope), not an object with allow',
    () => executeTools([], { registry: toolkit().registry, permissions: { allow: ['Read'] } as never }),
  ],
  [
    'Permission rule "Bash(git status" must be a tool name, or a name with a pattern such as Bash(npm run *) or Edit(src/**)',
    () => createPermissions({ allow: ['Bash(git status'] }),
  ],
  [
    'Permission rule "WebFetch(https://example.com/a)" names no host: write WebFetch(domain:example.com), without scheme, port or path',
    () => createPermissions({ allow: ['WebFetch(https://example.com/a)'] }),
  ],
  [
    'A permission rule names Raed, which is not a tool. Did you mean "Read"? If Raed is a tool of yours, register it first and add the rule with addRules, or rename it.',
    () => toolkit({ permissions: createPermissions({ deny: ['Raed(**/.env)'] }) }),
  ],
  [
    'A policy names Bsh, which is not a tool. Did you mean "Bash"? If Bsh is a tool of yours, add a star to its name in the policy, or rename it.',
    () => toolkit({ policy: { deny: ['Bsh'] } }),
  ],
  [
    'lintRules takes an object with the lists allow, ask and deny, not one list: write { allow: rules }',
    () => lintRules(['Bash(node *)'] as never),
  ],
  ['lintRules takes an object, not a string', () => lintRules('Bash' as never)],
  ['lintRules: deny takes a list of texts, not a list of numbers', () => lintRules({ deny: [7] } as never)],
  [
    'Own is registered already: pass replace: true to Tool.define to replace it, or choose another name',
    () => {
      const own = () => define({}, 'Own');
      toolkit().registry.register(own(), own());
    },
  ],
  [
    'createToolkit: mcpServers is no option. Write hosts: { mcp: new McpManager({ servers: mcpServers }) }, with McpManager of toolwright/mcp.',
    () => toolkit({ mcpServers: {} }),
  ],
  [
    'MCP server "a": url must be an http or https URL.',
    () => new McpManager({ servers: { a: { url: 'localhost:3000/mcp' } } }),
  ],
  ['commandBackend: pass run', () => commandBackend({ root: '/srv' } as never)],
  [
    'commandBackend: run takes a function, not a string',
    () => commandBackend({ run: 'ssh host', root: '/srv' } as never),
  ],
  ['commandBackend: root takes an absolute path, not "srv"', () => commandBackend({ run: () => [], root: 'srv' })],
  [
    'Error: Edit needs permission, but no person could be asked. Do something else, or tell the user.',
    () => execute([call('Edit', edit())], onAsk(true)),
  ],
  [
    'Error: The user refused Edit. Do not repeat this call; do something else or ask what they want.',
    () => execute([call('Edit', edit())], onAsk({ behavior: 'deny' })),
  ],
  ['hooks: PreTooluse is no option. Did you mean "PreToolUse"?', () => toolkit({ hooks: { PreTooluse: [] } })],
  [
    'hooks.PreToolUse: each entry needs hooks: a list of functions (event, scope), or command: a shell command',
    () => toolkit({ hooks: { PreToolUse: [{ matcher: 'Edit' }] } }),
  ],
  [
    'Error: denied by hook: the hook failed: its answer has an unknown field "decison". Did you mean "decision"?',
    () => execute([call('Edit', edit())], hook({ decison: 'deny' })),
  ],
  [
    'Tool Say: input is fields, not a schema; wrap them: input: z.object({ a: … })',
    () => define({ input: { a: z.string() } }),
  ],
  [
    'Tool Say: the input schema must be an object at the top, not string, because models send named fields; wrap it, for example z.object({ value: … })',
    () => define({ input: z.string() }),
  ],
  ['Tool Say: sideEfect is no option. Did you mean "sideEffect"?', () => define({ sideEfect: 'none' })],
  [
    'Tool Say: pass input or parameters, not both, because parameters is an alias of input',
    () => define({ parameters: {} }),
  ],
  ['Tool Say: risk takes a function, not a string', () => define({ risk: 'low' })],
  ['Tool Say: targets takes a function, not an empty list', () => define({ targets: [] })],
  [
    "endSession takes the id of a session as text: write endSession('session_1')",
    () => toolkit().endSession({ sessionId: 'a' } as never),
  ],
  [
    'Tool Say: sideEffect must be none, readonly, mutating, network, blocking or spawns',
    () => define({ sideEffect: 'read' }),
  ],
  ['Tool name "say it" must be 1 to 64 of the characters A-Z a-z 0-9 _ -', () => define({}, 'say it')],
  [
    'Say: its schema rejects its example {"a":1}; correct the schema or the example',
    () => toolkit().registry.register(define({ examples: [{ a: 1 }] })),
  ],
  [
    'Read is a built-in tool: pass replace: true to Tool.define to replace it, or choose another name',
    () => toolkit().registry.register(define({}, 'Read')),
  ],
  [
    'ToolError: write the code in snake_case, such as "not_found", not "NotFound"',
    () => new ToolError('NotFound', 'It is not there.'),
  ],
  ['createRateLimiter: pass max', () => createRateLimiter({} as never)],
  ['execute takes a list of calls: write execute([call])', () => execute(call('Read', {}))],
  [
    `execute takes calls { id, name, input } with texts for id and name, but calls[0] has id, type, function: write execute(fromOpenAI(answer)), with fromOpenAI from 'toolwright/openai'`,
    () => execute([{ id: 'c', type: 'function', function: { name: 'Read', arguments: '{}' } }]),
  ],
  [
    `execute takes a list of calls: write execute(fromAnthropic(answer)), with fromAnthropic from 'toolwright/anthropic'`,
    () => execute({ role: 'assistant', content: [] }),
  ],
  [
    `execute takes calls { id, name, input } with texts for id and name, but calls[0] has name, input: write execute([{ id: 'call_1', name: 'Read', input: {} }])`,
    () => execute([{ name: 'Read', input: {} }]),
  ],
  [
    `execute takes calls { id, name, input } with texts for id and name, but calls[0] has toolCallId, toolName, input: write execute(fromAi(answer)), with fromAi from 'toolwright/ai-sdk'`,
    () => execute([{ toolCallId: 'c', toolName: 'Read', input: {} }]),
  ],
  [
    `execute takes calls { id, name, input } with texts for id and name, but calls[0] has functionCall: write execute(fromGemini(answer)), with fromGemini from 'toolwright/gemini'`,
    () => execute([{ functionCall: { name: 'Read', args: {} } }]),
  ],
  ...(
    [
      ['id, name, args', { id: 'c', name: 'Read', args: {} }],
      ['id, name, parameters', { id: 'c', name: 'Read', parameters: {} }],
      ['no fields', 'Read'],
    ] as const
  ).map(
    ([fields, came]) =>
      [
        `execute takes calls { id, name, input } with texts for id and name, but calls[1] has ${fields}: write execute([{ id: 'call_1', name: 'Read', input: {} }])`,
        () => execute([call('Read', {}), came]),
      ] as const,
  ),
  ['Error: unknown tool: ReadFile. Did you mean "Read"?', () => execute([call('ReadFile', {})])],
  [
    'Error: Invalid input for Read:\n- file_path is missing; you sent path, which is not a field: send it as file_path',
    () => execute([call('Read', { path: '/a' })]),
  ],
  [
    'Error: Invalid input for Edit:\n- file_path is missing\n- old_string is missing\n- new_string is missing\nThe input was empty; if your previous response was cut off, send the call again, shorter.\nExample: {"file_path":"/repo/src/app.ts","old_string":"const port = 80;","new_string":"const port = 8080;"}',
    () => execute([call('Edit', {})]),
  ],
  [
    'Error: Invalid input for Bash:\n- command: expected a string (got ["ls"])\nExample: {"command":"npm test"}',
    () => execute([call('Bash', { command: ['ls'] })]),
  ],
];

async function saidOf(make: () => unknown): Promise<string> {
  try {
    const made = (await make()) as { readonly results?: readonly { readonly output: string }[] };
    return made.results?.[0]?.output ?? 'nothing';
  } catch (thrown) {
    return thrown instanceof TypeError ? thrown.message : `no TypeError: ${String(thrown)}`;
  }
}

table(mistakes)('the message for each mistake says what to write instead', async (said, make) => {
  expect(await saidOf(make)).toBe(said);
});
