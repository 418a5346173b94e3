import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { FileSettings, Scrubber, ShellSettings, WebSettings } from '../src/core.js';
import {
  createDeadLetters,
  createPlanMode,
  createPolicy,
  createRateLimiter,
  createScrubber,
  createToolkit,
  executeTools,
  type Hosts,
  type ToolHooks,
  type ToolkitOptions,
  ToolRegistry,
} from '../src/index.js';
import { memoryFiles } from '../src/testing/index.js';
import { table } from './support/each-row.js';
import { calls, tool } from './support/pipeline.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { testToolkit } from './support/test-toolkit.js';

describe('an option of the wrong type is rejected by name when the toolkit is made', () => {
  const files = memoryFiles({ root: '/ws', files: {} });
  const wrong: readonly (readonly [option: RegExp, options: object])[] = [
    [/additionalRoots takes a list of absolute paths/, { additionalRoots: '/tmp' }],
    [/additionalRoots/, { additionalRoots: ['rel'] }],
    [/relativePaths takes "reject" or "resolve", not "maybe"/, { relativePaths: 'maybe' }],
    [/permissions takes a mode name, the result of createPermissions/, { permissions: {} }],
    [/permissions/, { permissions: 5 }],
    [/permissions/, { permissions: null }],
    [/mode "defualt" is unknown/, { permissions: 'defualt' }],
    [/hooks/, { hooks: 'x' }],
    [/hosts takes an object/, { hosts: [] }],
    [/hosts: shell takes a shell, which has run/, { hosts: { shell: {} } }],
    [/hosts: files takes a file system/, { hosts: { files: {} } }],
    [/hosts: documents/, { hosts: { documents: {} } }],
    [/hosts: images/, { hosts: { images: { rezise: () => undefined } } }],
    [/hosts: userInput takes an object that asks a person, which has ask/, { hosts: { userInput: {} } }],
    [/hosts: todos takes a store of todos, which has get, set/, { hosts: { todos: { get: () => [] } } }],
    [/features: tasks takes true or false, not 1/, { features: { tasks: 1 } }],
    [/hosts: shel is no option. Did you mean "shell"/, { hosts: { shel: {} } }],
    [/policy takes an object, not null/, { policy: null }],
    [/policy takes an object, not a boolean/, { policy: false }],
    [/planMode/, { planMode: {} }],
    [/rateLimiter takes a rate limiter, which has take/, { rateLimiter: {} }],
    [/scrubber takes false or a scrubber/, { scrubber: true }],
    [/scrubber/, { scrubber: { txt: (text: string) => text } }],
    [/scrubber/, { scrubber: null }],
    [/retry takes an object/, { retry: 3 }],
    [/retry.maxAttempts must be a whole number, not 1.5/, { retry: { maxAttempts: 1.5 } }],
    [/maxAttemps/, { retry: { maxAttemps: 2 } }],
    [/deadLetters takes a store of dead letters, which has add/, { deadLetters: {} }],
    [/toolResolver takes a function, not a number/, { toolResolver: 3 }],
    [/sandbox takes a sandbox/, { sandbox: {} }],
    [/sandbox/, { sandbox: { driver: {} } }],
    [/shell takes an object/, { shell: 'bash' }],
    [/shell: env takes an object of texts by name/, { shell: { env: { A: 5 } } }],
    [/shell: env/, { shell: { env: 5 } }],
    [/shell: cwdPersists takes true or false, not "yes"/, { shell: { cwdPersists: 'yes' } }],
    [/files: readBeforeWrite takes true or false/, { files: { readBeforeWrite: 1 } }],
    [/files: undoFolder takes an absolute path, not "rel"/, { files: { undoFolder: 'rel' } }],
    [/files: ripgrep takes false or an absolute path/, { files: { ripgrep: 'rg' } }],
    [
      /additionalRoots cannot be combined with hosts.files; pass the same settings to/,
      { additionalRoots: ['/ws'], hosts: { files } },
    ],
    [/files.ripgrep cannot be combined with hosts.files/, { files: { ripgrep: false }, hosts: { files } }],
    [/relativePaths cannot be combined with hosts.files/, { relativePaths: 'resolve', hosts: { files } }],
    [/hosts: search takes a search provider/, { hosts: { search: () => [] } }],
    [/hosts: summarizer takes a summarizer/, { hosts: { summarizer: {} } }],
    [/web takes an object/, { web: true }],
    [/web: allowHost is no option. Did you mean "allowHosts"/, { web: { allowHost: [] } }],
    [/web: denyHosts takes a list of host names/, { web: { denyHosts: ['https://a.example'] } }],
    [/web: allowPrivate takes true, false or a list/, { web: { allowPrivate: 'yes' } }],
    [/web cannot be combined with hosts.http/, { web: {}, hosts: { http: { get: () => {}, post: () => {} } } }],
    [/mounts takes a list/, { mounts: {} }],
    [/mounts/, { mounts: [{}] }],
    [/mounts/, { mounts: [null] }],
    [/mounts: path takes a text/, { mounts: [{ path: '', files }] }],
    [/mounts: files takes a file system/, { mounts: [{ path: '/x', files: {} }] }],
    [/features: undo takes true or false, not "yes"/, { features: { undo: 'yes' } }],
    [/features: team is no option/, { features: { team: true } }],
    [/limits takes an object/, { limits: 5 }],
    [/limits.call takes an object/, { limits: { call: 5 } }],
    [/limits.call.maxRewrites must be a whole number/, { limits: { call: { maxRewrites: 1.5 } } }],
    [/concurrency/, { concurrency: '2' }],
    [/rot is no option. Did you mean "root"/, { rot: '/' }],
  ];
  table(wrong)('of createToolkit', (message, options) => {
    const make = () => createToolkit({ root: temporaryFolder(), ...options });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  table([undefined, null, '/tmp', [[]]])('and so are options that are not an object', (options) => {
    expect(() => createToolkit(options as never)).toThrow(TypeError);
  });

  test('the message does not show possible secrets', () => {
    const secret = ['hunter', '2-hunter', '2'].join('');
    for (const make of [
      () => createToolkit({ root: '/', shell: { env: [secret] as never } }),
      () => createToolkit({ root: '/', shell: { env: { A: secret, B: 5 } as never } }),
      () => createScrubber({ values: secret as never }),
    ]) {
      expect(make).toThrow(TypeError);
      expect(make).not.toThrow(secret);
    }
  });
});

table<[RegExp, object]>([
  [/rateLimiter/, { rateLimiter: {} }],
  [/scrubber/, { scrubber: true }],
  [/deadLetters/, { deadLetters: {} }],
  [/toolResolver/, { toolResolver: 3 }],
  [/outputStore/, { outputStore: {} }],
  [/signal takes an AbortSignal/, { signal: {} }],
  [/onEvent takes a function/, { onEvent: {} }],
  [/caller takes a caller/, { caller: 'me' }],
  [/caller takes a caller .* sessionId is text/, { caller: {} }],
  [/sessionId/, { caller: { sessionId: 5 } }],
  [/policy takes an object, not null/, { policy: null }],
  [/registry/, { registry: {} }],
])('executeTools rejects it too', async (message, options) => {
  const turn = executeTools(calls('A'), { registry: new ToolRegistry().register(tool('A', () => 'a')), ...options });
  await expect(turn).rejects.toThrow(TypeError);
  await expect(turn).rejects.toThrow(message);
});

table<[RegExp, object]>([
  [/signal takes an AbortSignal/, { signal: {} }],
  [/onEvent takes a function/, { onEvent: 'x' }],
  [/caller takes a caller/, { caller: 's1' }],
  [/sessionId/, { caller: { agentId: 'a' } }],
  [/sessionId/, { caller: { sessionId: undefined } }],
  [/caler is no option. Did you mean "caller"/, { caler: {} }],
])('and so does a turn, also of a plan', async (message, turn) => {
  const planMode = createPlanMode();
  const toolkit = testToolkit({ planMode });
  toolkit.registry.register(tool('Act', () => 'acted', { sideEffect: 'mutating' }));
  planMode.enter();
  await toolkit.execute(calls('Act'));
  await expect(toolkit.execute([], turn)).rejects.toThrow(message);
  await expect(toolkit.runPlan(turn)).rejects.toThrow(message);
  expect([planMode.isActive, toolkit.planQueue.length]).toEqual([true, 1]);
});

table<[RegExp, () => unknown]>([
  [/createDeadLetters: maxx is no option. Did you mean "max"/, () => createDeadLetters({ maxx: 1 } as never)],
  [/createDeadLetters: file takes an absolute path/, () => createDeadLetters({ file: 'letters' })],
  [/createScrubber: value is no option. Did you mean "values"/, () => createScrubber({ value: [] } as never)],
  [/createScrubber: values takes a list of texts/, () => createScrubber({ values: [5] } as never)],
  [/createScrubber: reversible takes true or false/, () => createScrubber({ reversible: 'yes' } as never)],
])('and so do the factories of parts', (message, make) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

test('every option may be undefined, which counts as omitted', async () => {
  expectTypeOf<{ [Name in keyof Hosts]: undefined }>().toExtend<Hosts>();
  expectTypeOf<{ [Name in keyof WebSettings]: undefined }>().toExtend<WebSettings>();
  expectTypeOf<{ [Name in keyof ShellSettings]: undefined }>().toExtend<ShellSettings>();
  expectTypeOf<{ [Name in keyof FileSettings]: undefined }>().toExtend<FileSettings>();
  const none = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, undefined]));
  const hosts = none(
    'files shell documents images suspensions http search summarizer userInput config todos tasks mcp mcpSampling ' +
      'subagents teams sessions elicitation',
  );
  const web = none('allowHosts denyHosts allowPrivate robots userAgent');
  const shell = none('env allowRecursiveDeleteInside cwdPersists autoBackground interactive separateOutput');
  const files = none('readBeforeWrite syntaxCheck namesUnchanged cacheReads undoFolder ripgrep');
  const hooks: ToolHooks = none('PreToolUse PostToolUse PostToolUseFailure onHookError');
  const hook = () => ({ decision: undefined, reason: undefined });
  const entry = { matcher: undefined, timeoutMs: undefined, command: undefined, hooks: [hook] };
  const entries: ToolHooks = { PreToolUse: [entry] };
  const options: ToolkitOptions = {
    ...none('permissions sandbox mounts scrubber'),
    root: temporaryFolder(),
    ...{ hosts, shell, files, web, hooks },
    retry: { maxAttempts: undefined, baseMs: undefined, maxMs: undefined },
    features: { undo: undefined, tasks: undefined },
    limits: { call: undefined, output: { maxChars: undefined, maxTurnChars: undefined } },
  };
  for (const each of [options, { ...options, hooks: entries }]) {
    const toolkit = testToolkit(each);
    const turn = { caller: undefined, signal: undefined };
    const { results } = await toolkit.execute(calls(['TodoWrite', { todos: [] }]), turn);
    expect(results[0]?.ok).toBe(true);
  }
});

test('and so may the options of its parts', async () => {
  const none = { timeoutMs: undefined, maxOutputChars: undefined, groups: undefined, idempotent: undefined };
  const act = tool('Act', () => 'acted', none);
  const policy = createPolicy({
    allow: undefined,
    deny: undefined,
    alsoAllow: undefined,
    profile: undefined,
    byProvider: { some: { allow: undefined, profile: undefined } },
    byAgent: { helper: { deny: undefined, byProvider: undefined } },
    byChannel: undefined,
    profiles: undefined,
    groups: undefined,
    subagents: { maxDepth: undefined, deny: undefined, leafDeny: undefined },
  });
  expect(
    [{}, { agentId: 'helper' }, { provider: 'some' }].map((more) => policy.offers(act, { sessionId: 's', ...more })),
  ).toEqual([true, true, true]);
  const unset = { windowMs: undefined, perTool: undefined, costs: undefined, now: undefined };
  const limiter = createRateLimiter({ max: 1, ...unset });
  const { results } = await executeTools(calls('Act'), {
    registry: new ToolRegistry().register(act),
    permissions: 'bypassPermissions',
    policy,
    rateLimiter: limiter,
    deadLetters: createDeadLetters({ max: undefined, maxChars: undefined, file: undefined }),
    scrubber: createScrubber({ values: undefined, reversible: undefined }),
  });
  expect(results[0]?.ok).toBe(true);
});

test('a scrubber needs only text and stream', async () => {
  const scrubber: Scrubber = {
    text: (text) => text.replaceAll('sword', '[hidden]'),
    stream: () => ({ push: (chunk) => chunk.replaceAll('sword', '[hidden]'), end: () => '' }),
  };
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'sword-of-truth-7');
  const toolkit = testToolkit({ root, scrubber });
  const { results } = await toolkit.execute([{ id: 'c', name: 'Read', input: { file_path: join(root, 'a.txt') } }]);
  expect(results[0]?.output).toContain('[hidden]-of-truth-7');
});
