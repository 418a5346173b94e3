import { describe, expect, test } from 'vitest';
import { ToolError } from '../../src/core/error.js';
import type { ShellOutcome, ShellRequest } from '../../src/host/shell.js';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.js';
import * as kits from '../../src/testing/index.js';
import { subjects } from '../support/conformance-subjects.js';
import { scopeOf } from '../support/shell.js';

type Case = { readonly name: string; run(make: () => never): Promise<void> };
type Kind = keyof typeof subjects;

const kitOf: Readonly<Record<Kind, readonly unknown[]>> = {
  files: kits.fileSystemConformance,
  shell: kits.shellConformance,
  sandbox: kits.sandboxConformance,
  search: kits.searchProviderConformance,
  limiter: kits.rateLimiterConformance,
  http: kits.httpClientConformance,
  mcp: kits.mcpClientConformance,
  store: kits.fileStoreConformance,
  todos: kits.todoStoreConformance,
  board: kits.taskBoardConformance,
  config: kits.configStoreConformance,
  letters: kits.deadLettersConformance,
  fingerprints: kits.fingerprintsConformance,
  spawner: kits.subagentSpawnerConformance,
  suspensions: kits.suspensionStoreConformance,
};
const casesOf = (kind: Kind) => kitOf[kind] as readonly Case[];

const obstacle = await bubblewrapSandbox().obstacle(scopeOf());
const usable = (Object.keys(subjects) as Kind[]).filter((kind) => kind !== 'sandbox' || obstacle === undefined);

describe.each(usable)('an implementation of %s', (kind) => {
  test.each(casesOf(kind))('$name', ({ run }) => run(subjects[kind] as () => never));
});

test('a sandbox that cannot be used here is found out by the first case of its kit', async () => {
  const words = obstacle ?? 'it is not installed';
  const make = broken('sandbox', 'sandbox', () => ({ obstacle: async () => words })) as () => never;
  await expect(casesOf('sandbox')[0]?.run(make)).rejects.toThrow(words);
});

/** The same subject with methods of one of its parts replaced; each gets the original. */
function broken<Which extends Kind, Part extends keyof ReturnType<(typeof subjects)[Which]>>(
  kind: Which,
  part: Part,
  changes: (
    original: ReturnType<(typeof subjects)[Which]>[Part],
  ) => Partial<ReturnType<(typeof subjects)[Which]>[Part]>,
): () => unknown {
  return () => {
    const subject = subjects[kind]() as ReturnType<(typeof subjects)[Which]>;
    const original = subject[part];
    const bound = new Proxy(original as object, {
      get(target, key) {
        const change = (changes(original) as Record<PropertyKey, unknown>)[key];
        const value: unknown = change ?? Reflect.get(target, key, target);
        return typeof value === 'function' && change === undefined ? value.bind(target) : value;
      },
    });
    return { ...subject, [part]: bound };
  };
}

const later = <Value>(value: Value) => new Promise<Value>((resolve) => setImmediate(() => resolve(value)));
const outcome = (change: (outcome: ShellOutcome) => Partial<ShellOutcome>) =>
  broken('shell', 'shell', (shell) => ({
    run: async (request, scope) => {
      const made = await shell.run(request, scope);
      return { ...made, ...change(made) };
    },
  }));
const request = (change: Partial<ShellRequest>) =>
  broken('shell', 'shell', (shell) => ({ run: (given, scope) => shell.run({ ...given, ...change }, scope) }));
const whoever = { caller: { sessionId: 'everybody' }, signal: new AbortController().signal };

/** Implementations with one fault each, and the case that names it. */
const faults: readonly (readonly [kind: Kind, fault: string, name: string, make: () => unknown])[] = [
  [
    'files',
    'writes one slice',
    'slices are written one after the other',
    broken('files', 'files', (files) => ({
      update: (path, change, ...more) =>
        files.update(
          path,
          async (now) => {
            const made = await change(now);
            return made && { ...made, slices: made.slices.slice(0, 1) };
          },
          ...more,
        ),
    })),
  ],
  [
    'files',
    'says that every file is new',
    'an update says whether it made the file, and the state after it',
    broken('files', 'files', (files) => ({
      update: async (...given) => {
        const made = await files.update(...given);
        return made && { ...made, created: true };
      },
    })),
  ],
  [
    'files',
    'hides what is there from a change',
    'a change sees the current content, or nothing',
    broken('files', 'files', (files) => ({
      update: (path, change, ...more) => files.update(path, () => change(undefined), ...more),
    })),
  ],
  [
    'files',
    'writes what a change did not want',
    'a change that answers nothing or throws leaves everything as it is',
    broken('files', 'files', (files) => ({
      update: (path, change, ...more) =>
        files.update(path, async (now) => (await change(now)) ?? { slices: [] }, ...more),
    })),
  ],
  [
    'files',
    'keeps what is removed',
    'a removed file is gone',
    broken('files', 'files', () => ({ remove: async () => true })),
  ],
  [
    'files',
    'lists in another order',
    'a folder is listed by name',
    broken('files', 'files', (files) => ({ list: async (...given) => [...(await files.list(...given))].reverse() })),
  ],
  [
    'files',
    'serves what is outside',
    'every verb keeps to the root and to absolute paths',
    broken('files', 'files', () => ({ stat: async () => undefined })),
  ],
  [
    'files',
    'searches without regard to case',
    'grep finds lines, files and counts',
    broken('files', 'files', (files) => ({
      grep: (query, scope) => files.grep({ ...query, ignoreCase: true }, scope),
    })),
  ],
  [
    'files',
    'shows no lines before a match',
    'grep finds lines, files and counts',
    broken('files', 'files', (files) => ({ grep: (query, scope) => files.grep({ ...query, before: 0 }, scope) })),
  ],
  [
    'files',
    'shows whole lines always',
    'grep finds lines, files and counts',
    broken('files', 'files', (files) => ({
      grep: (query, scope) => files.grep({ ...query, onlyMatching: false }, scope),
    })),
  ],
  [
    'files',
    'finds without end',
    'grep finds lines, files and counts',
    broken('files', 'files', (files) => ({ grep: (query, scope) => files.grep({ ...query, limit: 99 }, scope) })),
  ],
  [
    'files',
    'finds the oldest first',
    'glob finds by pattern, newest first, hidden files too, and never in .git',
    broken('files', 'files', (files) => ({
      glob: async (query, scope) => {
        const { paths, ...found } = await files.glob({ ...query, maxFiles: 99 }, scope);
        return { ...found, paths: [...paths].reverse().slice(0, query.maxFiles) };
      },
    })),
  ],
  [
    'files',
    'answers more than was asked for',
    'glob finds by pattern, newest first, hidden files too, and never in .git',
    broken('files', 'files', (files) => ({ glob: (query, scope) => files.glob({ ...query, maxFiles: 99 }, scope) })),
  ],
  [
    'shell',
    'answers that all went well',
    'a command that ends has its exit code and its output, and is no error',
    outcome(() => ({ exitCode: 0 })),
  ],
  [
    'shell',
    'loses half a character',
    'characters of several bytes come whole',
    outcome(({ output }) => ({ output: Buffer.from(output).toString('latin1') })),
  ],
  [
    'shell',
    'starts in the root always',
    'a command starts in the root, or in the folder below it that is asked for',
    request({ cwd: undefined }),
  ],
  ['shell', 'forgets the variables', 'variables of the request are set', request({ env: {} })],
  [
    'shell',
    'has no time limit',
    'a time limit ends all that it started',
    outcome(({ timedOut }) => ({ timedOut: !timedOut })),
  ],
  ['shell', 'does not say that it cut', 'long output is cut, and said to be', outcome(() => ({ truncated: false }))],
  [
    'shell',
    'starts after an abort',
    'nothing starts after an abort',
    broken('shell', 'shell', (shell) => ({ run: (given) => shell.run(given, whoever) })),
  ],
  [
    'shell',
    'hides what killed it',
    'a signal that ended it is told',
    outcome(() => ({ signal: undefined, exitCode: 1 })),
  ],
  [
    'sandbox',
    'is not there',
    'it can be used here',
    broken('sandbox', 'sandbox', () => ({ obstacle: async () => 'it is not installed' })),
  ],
  [
    'sandbox',
    'lets everything be written',
    'nothing outside the roots can be written',
    broken('sandbox', 'sandbox', () => ({
      launch: ({ command, env }) => ({ file: '/bin/sh', arguments: ['-c', command], env }),
    })),
  ],
  [
    'sandbox',
    'takes quotes for its own',
    'quotes, variables and line breaks come through',
    broken('sandbox', 'sandbox', () => ({
      launch: ({ command, env }) => ({ file: '/bin/sh', arguments: ['-c', `sh -c "${command}"`], env }),
    })),
  ],
  [
    'search',
    'answers too many',
    'there are no more than were asked for, and by default no more than ten',
    broken('search', 'search', (search) => ({
      search: (query, scope) => search.search({ ...query, maxResults: 12 }, scope),
    })),
  ],
  [
    'search',
    'shows every domain',
    'only allowed domains are shown, and their subdomains',
    broken('search', 'search', (search) => ({
      search: ({ allowedDomains: _, ...query }, scope) => search.search(query, scope),
    })),
  ],
  [
    'search',
    'shows blocked domains',
    'blocked domains are not shown, nor their subdomains',
    broken('search', 'search', (search) => ({
      search: ({ blockedDomains: _, ...query }, scope) => search.search(query, scope),
    })),
  ],
  [
    'search',
    'finds nothing where it cannot search',
    'a service that cannot be reached is told as search_unavailable',
    broken('search', 'unreachable', () => ({ search: async () => [] })),
  ],
  [
    'search',
    'answers relative addresses',
    'each result has a title and an address',
    broken('search', 'search', (search) => ({
      search: async (...given) => (await search.search(...given)).map((one) => ({ ...one, url: '/page' })),
    })),
  ],
  [
    'limiter',
    'grants everything',
    'past the limit it refuses, and says when there is more',
    broken('limiter', 'limiter', () => ({ take: () => ({ ok: true, remaining: 0 }) })),
  ],
  [
    'limiter',
    'checks first and takes later',
    'checking and taking are one step',
    () => {
      let taken = 0;
      return {
        limiter: {
          take: async () => {
            const before = taken;
            await later(0);
            taken = before + 1;
            return taken > 5 ? { ok: false, retryAfterMs: 1 } : { ok: true, remaining: 5 - taken };
          },
        },
      };
    },
  ],
  [
    'limiter',
    'counts all keys as one',
    'each key has its own',
    broken('limiter', 'limiter', (limiter) => ({ take: (given) => limiter.take({ ...given, key: 'one' }) })),
  ],
  [
    'limiter',
    'ignores the cost',
    'a cost counts as so many calls, whole or not at all',
    broken('limiter', 'limiter', (limiter) => ({ take: ({ cost: _, ...given }) => limiter.take(given) })),
  ],
  [
    'http',
    'gives the type as it came',
    'a page comes with its status, type, character set and bytes',
    broken('http', 'http', (http) => ({
      get: async (...given) => ({ ...(await http.get(...given)), mediaType: 'Text/HTML' }),
    })),
  ],
  [
    'http',
    'hides redirects',
    'redirects are followed, and told',
    broken('http', 'http', (http) => ({ get: async (...given) => ({ ...(await http.get(...given)), redirects: [] }) })),
  ],
  [
    'http',
    'takes a missing page for a page',
    'a status from 400 up is http_error, with the status',
    broken('http', 'http', (http) => ({
      get: (given, scope) => http.get({ ...given, url: given.url.replace('missing', 'page') }, scope),
    })),
  ],
  [
    'http',
    'has no limit',
    'a body that is too large is refused',
    broken('http', 'http', (http) => ({ get: ({ maxBytes: _, ...given }, scope) => http.get(given, scope) })),
  ],
  [
    'http',
    'does not stop',
    'an abort ends a request',
    broken('http', 'http', (http) => ({
      get: (given) => (given.url.endsWith('/slow') ? Promise.reject(new Error('late')) : http.get(given, whoever)),
    })),
  ],
  [
    'mcp',
    'mixes up answers',
    'a call gets the answer to its own input',
    broken('mcp', 'mcp', (mcp) => ({ callTool: (call, scope) => mcp.callTool({ ...call, input: { at: 1 } }, scope) })),
  ],
  [
    'mcp',
    'calls a server that is not there',
    'a server that is not there is mcp_unavailable',
    broken('mcp', 'mcp', () => ({ callTool: async () => ({ content: [] }) })),
  ],
  [
    'mcp',
    'tells for ever',
    'changes are told until nobody listens',
    broken('mcp', 'mcp', (mcp) => ({
      subscribe: (listener) => {
        mcp.subscribe(listener);
        return () => {};
      },
    })),
  ],
  [
    'store',
    'keeps the bytes of the writer',
    'what a writer changes later is not in the store',
    () => {
      const kept = new Map<string, Uint8Array>();
      return {
        store: {
          read: async (name: string) => ({ bytes: kept.get(name), mtimeMs: 1, version: '1' }),
          write: async (name: string, bytes: Uint8Array) => void kept.set(name, bytes),
          remove: async () => false,
          names: async () => [...kept.keys()],
        },
      };
    },
  ],
  [
    'store',
    'has one version for ever',
    'the version changes with the content',
    broken('store', 'store', (store) => ({
      read: async (...given) => {
        const found = await store.read(...given);
        return found && { ...found, version: '1' };
      },
    })),
  ],
  [
    'todos',
    'shares one list',
    'each session and each agent has its own',
    broken('todos', 'todos', (todos) => ({ get: () => todos.get(whoever), set: (list) => todos.set(list, whoever) })),
  ],
  [
    'todos',
    'adds to the old list',
    'a list takes the place of the old one',
    broken('todos', 'todos', (todos) => ({
      set: async (list, scope) => todos.set([...(await todos.get(scope)), ...list], scope),
    })),
  ],
  [
    'board',
    'sorts numbers as text',
    'tasks are numbered, and listed in order',
    broken('board', 'board', (board) => ({
      list: async (scope) => [...(await board.list(scope))].sort((one, other) => (one.id < other.id ? -1 : 1)),
    })),
  ],
  [
    'board',
    'keeps one end of a dependency',
    'a dependency stands at both ends',
    broken('board', 'board', (board) => ({
      get: async (...given) => {
        const found = await board.get(...given);
        return found && { ...found, blocks: [] };
      },
    })),
  ],
  [
    'board',
    'starts what waits',
    'a task that waits cannot be started',
    broken('board', 'board', (board) => ({
      update: async (id, change, scope) => {
        const found = await board.get(id, scope);
        if (found === undefined) throw new ToolError('invalid_input', 'unknown');
        return change.status === undefined ? board.update(id, change, scope) : { ...found, status: 'in_progress' };
      },
    })),
  ],
  [
    'config',
    'does not reset',
    'it is what it was set to, until it is reset',
    broken('config', 'config', () => ({ reset: () => {} })),
  ],
  [
    'letters',
    'keeps the last alone',
    'what is added is kept whole, in order',
    () => {
      let last: unknown;
      return {
        letters: {
          add(one: unknown) {
            last = one;
          },
        },
        kept: () => [last],
      };
    },
  ],
  [
    'fingerprints',
    'keeps the map that it was given',
    'they are as they were set, whole, for each server',
    () => {
      const kept = new Map<string, unknown>();
      return {
        fingerprints: {
          get: (name: string) => kept.get(name),
          set: (name: string, prints: unknown) => void kept.set(name, prints),
        },
      };
    },
  ],
  [
    'spawner',
    'goes on after an abort',
    'an abort ends it',
    broken('spawner', 'spawner', () => ({ spawn: () => new Promise<never>(() => {}) })),
  ],
  [
    'spawner',
    'has no last words',
    'a subagent ends with words, and what it took is counted',
    broken('spawner', 'spawner', () => ({ spawn: async () => ({ output: '', usage: { turns: 1 } }) })),
  ],
  [
    'suspensions',
    'gives a call to two',
    'of many who ask at once one has it',
    broken('suspensions', 'store', () => ({ claim: async () => 'new' })),
  ],
  [
    'suspensions',
    'joins turn and call to one key',
    'turns and calls are apart',
    broken('suspensions', 'store', (store) => ({
      claim: (turn, call, scope) => store.claim('all', `${turn}${call}`, scope),
      settle: async () => {},
    })),
  ],
  [
    'suspensions',
    'forgets what became of a call',
    'the first who asks has the call, and every other what became of it',
    () => {
      const seen = new Set<string>();
      return {
        store: {
          claim: async (turn: string, call: string) => {
            const key = JSON.stringify([turn, call]);
            const isNew = !seen.has(key);
            seen.add(key);
            return isNew ? 'new' : 'claimed';
          },
          settle: async () => {},
        },
      };
    },
  ],
];

test('there are forty of them', () => expect(faults.length).toBeGreaterThanOrEqual(40));

test.each(faults)('%s that %s fails: %s', async (kind, _, name, make) => {
  const found = casesOf(kind).find((one) => one.name === name);
  await expect(found?.run(make as () => never)).rejects.toThrow();
});
