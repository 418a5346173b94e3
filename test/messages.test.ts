import { beforeEach, expect, onTestFinished, test } from 'vitest';
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
import { temporaryFolder } from './support/temporary-folder.js';

let root = '';

beforeEach(() => {
  root = temporaryFolder();
});

function toolkit(options: object = {}) {
  const made = createToolkit({ root, ...options } as ToolkitOptions);
  onTestFinished(() => made.dispose());
  return made;
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
 * What is done wrong, and all that is said of it: by a program as an error that is thrown, by a model as the output of
 * its call.
 */
const mistakes: readonly (readonly [what: string, make: () => unknown, said: string])[] = [
  ['a relative root', () => createToolkit({ root: 'src' }), 'createToolkit: root must be an absolute path, not "src"'],
  ['no root', () => createToolkit({} as never), 'createToolkit: pass root, the absolute path of the workspace'],
  [
    'an unknown option',
    () => toolkit({ permision: 'default' }),
    'createToolkit: permision is no option. Did you mean "permissions"?',
  ],
  [
    'somebody to ask in the wrong place',
    () => toolkit({ onAsk: () => 'deny' }),
    'createToolkit: onAsk is no option. Write permissions: createPermissions({ onAsk }).',
  ],
  [
    'a root under another name',
    () => createToolkit({ cwd: root } as never),
    'createToolkit: cwd is no option. Write root: cwd.',
  ],
  [
    'tools in the options',
    () => toolkit({ tools: [] }),
    'createToolkit: tools is no option. Write toolkit.registry.register(...tools) when it is made.',
  ],
  [
    'an unknown mode',
    () => toolkit({ permissions: 'acceptEdit' }),
    'Permission mode "acceptEdit" is unknown. Did you mean "acceptEdits"?',
  ],
  [
    'an unknown group of limits',
    () => toolkit({ limits: { bsh: {} } }),
    'limits.bsh is no group of limits. Did you mean "bash"?',
  ],
  [
    'an unknown limit',
    () => toolkit({ limits: { bash: { timeout: 5 } } }),
    'limits.bash.timeout is no limit. Did you mean "timeoutMs"?',
  ],
  [
    'options of permissions in place of permissions',
    () => toolkit({ permissions: { allow: ['Read'] } }),
    'createToolkit: permissions takes a mode name, what createPermissions({ allow, ask, deny }) gives, or what has a method check(request, scope), not an object of another kind',
  ],
  [
    'the same without a toolkit',
    () => executeTools([], { registry: toolkit().registry, permissions: { allow: ['Read'] } as never }),
    'permissions takes a mode name, what createPermissions({ allow, ask, deny }) gives, or what has a method check(request, scope)',
  ],
  [
    'a rule that is none',
    () => createPermissions({ allow: ['Bash(git status'] }),
    'Permission rule "Bash(git status" must be a tool name, or a name with a pattern such as Bash(npm run *) or Edit(src/**)',
  ],
  [
    'a rule for an address',
    () => createPermissions({ allow: ['WebFetch(https://example.com/a)'] }),
    'Permission rule "WebFetch(https://example.com/a)" names no host: write WebFetch(domain:example.com), with neither scheme, port nor path',
  ],
  [
    'a rule that names no tool',
    () => toolkit({ permissions: createPermissions({ deny: ['Raed(**/.env)'] }) }),
    'A permission rule names Raed, which is no tool. Did you mean "Read"? If Raed is a tool of yours, register it first and add the rule with addRules, or rename it.',
  ],
  [
    'an answer to a question that is true',
    () => execute([call('Edit', edit())], onAsk(true)),
    `Error: Permission could not be asked: true is no answer about Edit: answer 'allow-once', 'allow-always', 'deny', or { behavior: 'deny', message }`,
  ],
  [
    'one that is half a decision',
    () => execute([call('Edit', edit())], onAsk({ behavior: 'deny' })),
    'Error: Permission gave no usable answer: { behavior: "allow" } or { behavior: "deny", message } is expected.',
  ],
  [
    'an event of hooks that is misspelt',
    () => toolkit({ hooks: { PreTooluse: [] } }),
    'hooks: PreTooluse is no option. Did you mean "PreToolUse"?',
  ],
  [
    'a hook that is no function',
    () => toolkit({ hooks: { PreToolUse: [{ matcher: 'Edit' }] } }),
    'hooks.PreToolUse: each entry needs hooks: a list of functions (event, scope), or command: a shell line',
  ],
  [
    'an unknown field in the answer of a hook',
    () => execute([call('Edit', edit())], hook({ decison: 'deny' })),
    'Error: denied by hook: the hook failed: its answer has an unknown field "decison". Did you mean "decision"?',
  ],
  [
    'fields in place of a schema',
    () => define({ input: { a: z.string() } }),
    'Tool Say: input is fields, not a schema; wrap them: input: z.object({ a: … })',
  ],
  [
    'a schema that is no object',
    () => define({ input: z.string() }),
    'Tool Say: the input schema must be an object at the top, not string, because models send named fields; wrap it, for example z.object({ value: … })',
  ],
  [
    'an unknown key of a tool',
    () => define({ sideEfect: 'none' }),
    'Tool Say: sideEfect is no option. Did you mean "sideEffect"?',
  ],
  [
    'an input under both of its names',
    () => define({ parameters: {} }),
    'Tool Say: parameters is another name of input; pass one of them',
  ],
  ['a risk that is no function', () => define({ risk: 'low' }), 'Tool Say: risk takes a function, not a string'],
  ['targets that are no function', () => define({ targets: [] }), 'Tool Say: targets takes a function, not a list'],
  [
    'the end of no session',
    () => toolkit().endSession({ sessionId: 'a' } as never),
    "endSession takes the id of a session as text: write endSession('session_1')",
  ],
  [
    'a side effect that is none',
    () => define({ sideEffect: 'read' }),
    'Tool Say: sideEffect must be none, readonly, mutating, network, blocking or spawns',
  ],
  [
    'a name that no provider takes',
    () => define({}, 'say it'),
    'Tool name "say it" must be 1 to 64 of the characters A-Z a-z 0-9 _ -',
  ],
  [
    'an example that does not fit',
    () => toolkit().registry.register(define({ examples: [{ a: 1 }] })),
    'Say: its schema does not take its example {"a":1}; correct one of them',
  ],
  [
    'a tool in the place of a built-in one',
    () => toolkit().registry.register(define({}, 'Read')),
    'Read is a built-in tool: pass replace: true to Tool.define to replace it, or name yours otherwise',
  ],
  [
    'a code that is not in snake_case',
    () => new ToolError('NotFound', 'It is not there.'),
    'ToolError: write the code in snake_case, such as "not_found", not "NotFound"',
  ],
  [
    'a limiter without a limit',
    () => createRateLimiter({} as never),
    'createRateLimiter: max must be a whole number from 0 up, or Infinity, not undefined',
  ],
  [
    'one call in place of a list',
    () => execute(call('Read', {})),
    'execute takes a list of calls: write execute([call])',
  ],
  [
    'an answer of OpenAI',
    () => execute([{ id: 'c', type: 'function', function: { name: 'Read', arguments: '{}' } }]),
    `execute takes calls { id, name, input } with texts for id and name, and calls[0] has id, type, function: write execute(fromOpenAI(answer)), with fromOpenAI from 'toolwright/openai'`,
  ],
  [
    'an answer of Anthropic',
    () => execute({ role: 'assistant', content: [] }),
    `execute takes a list of calls: write execute(fromAnthropic(answer)), with fromAnthropic from 'toolwright/anthropic'`,
  ],
  [
    'a call without an id',
    () => execute([{ name: 'Read', input: {} }]),
    `execute takes calls { id, name, input } with texts for id and name, and calls[0] has name, input: write execute([{ id: 'call_1', name: 'Read', input: {} }])`,
  ],
  ...(
    [
      ['a call of LangChain or Gemini', { id: 'c', name: 'Read', args: {} }, 'id, name, args'],
      ['a call with parameters', { id: 'c', name: 'Read', parameters: {} }, 'id, name, parameters'],
      ['a call of the AI SDK', { toolCallId: 'c', toolName: 'Read', input: {} }, 'toolCallId, toolName, input'],
      ['a part of Gemini', { functionCall: { name: 'Read', args: {} } }, 'functionCall'],
      ['a name in place of a call', 'Read', 'no fields'],
    ] as const
  ).map(
    ([what, came, fields]) =>
      [
        what,
        () => execute([call('Read', {}), came]),
        `execute takes calls { id, name, input } with texts for id and name, and calls[1] has ${fields}: write execute([{ id: 'call_1', name: 'Read', input: {} }])`,
      ] as const,
  ),
  [
    'a tool that is not there',
    () => execute([call('ReadFile', {})]),
    'Error: unknown tool: ReadFile. Did you mean "Read"?',
  ],
  [
    'a field under another name',
    () => execute([call('Read', { path: '/a' })]),
    'Error: Invalid input for Read:\n- file_path is missing; you sent path, which is no field: send it as file_path',
  ],
  [
    'no fields at all',
    () => execute([call('Edit', {})]),
    'Error: Invalid input for Edit:\n- file_path is missing\n- old_string is missing\n- new_string is missing\nThe input was empty; if your previous response was cut off, send the call again, shorter.\nExample: {"file_path":"/repo/src/app.ts","old_string":"const port = 80;","new_string":"const port = 8080;"}',
  ],
  [
    'a field of a wrong type',
    () => execute([call('Bash', { command: ['ls'] })]),
    'Error: Invalid input for Bash:\n- command: expected a string (got ["ls"])\nExample: {"command":"npm test"}',
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

test.each(mistakes)('%s', async (_, make, said) => {
  expect(await saidOf(make)).toBe(said);
});
