import { ToolError } from 'toolwright';
import { bubblewrapSandbox } from 'toolwright/sandbox';
import { describe, expect, test } from 'vitest';
import type { ShellOutcome, ShellRequest } from '../../src/ports/shell.js';
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
  const [, , make] = broken('sandbox', '', () => ({ obstacle: async () => words }));
  await expect(casesOf('sandbox')[0]?.run(make as () => never)).rejects.toThrow(words);
});

/** An implementation with one fault, and the case that names it. */
type Fault = readonly [kind: Kind, name: string, make: () => unknown];

const fault = (kind: Kind, name: string, make: () => unknown): Fault => [kind, name, make];

/** A subject with methods of one of its parts replaced; each gets the original. */
function brokenPart<Which extends Kind, Part extends keyof ReturnType<(typeof subjects)[Which]>>(
  kind: Which,
  part: Part,
  name: string,
  changes: (
    original: ReturnType<(typeof subjects)[Which]>[Part],
  ) => Partial<ReturnType<(typeof subjects)[Which]>[Part]>,
): Fault {
  return fault(kind, name, () => {
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
  });
}

/** The same of the part that has the name of its kind. */
const broken = <Which extends Kind & keyof ReturnType<(typeof subjects)[Which]>>(
  kind: Which,
  name: string,
  changes: Parameters<typeof brokenPart<Which, Which>>[3],
) => brokenPart(kind, kind, name, changes);

const later = <Value>(value: Value) => new Promise<Value>((resolve) => setImmediate(() => resolve(value)));
const outcome = (name: string, change: (outcome: ShellOutcome) => Partial<ShellOutcome>) =>
  broken('shell', name, (shell) => ({
    run: async (request, scope) => {
      const made = await shell.run(request, scope);
      return { ...made, ...change(made) };
    },
  }));
const request = (name: string, change: Partial<ShellRequest>) =>
  broken('shell', name, (shell) => ({ run: (given, scope) => shell.run({ ...given, ...change }, scope) }));
const whoever = { caller: { sessionId: 'everybody' }, signal: new AbortController().signal };

const faults: readonly Fault[] = [
  broken('files', 'slices are written one after the other', (files) => ({
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
  broken('files', 'an update says whether it made the file, and the state after it', (files) => ({
    update: async (...given) => {
      const made = await files.update(...given);
      return made && { ...made, created: true };
    },
  })),
  broken('files', 'a change sees the current content, or nothing', (files) => ({
    update: (path, change, ...more) => files.update(path, () => change(undefined), ...more),
  })),
  broken('files', 'a change that answers nothing or throws leaves everything as it is', (files) => ({
    update: (path, change, ...more) =>
      files.update(path, async (now) => (await change(now)) ?? { slices: [] }, ...more),
  })),
  broken('files', 'a removed file is gone', () => ({ remove: async () => true })),
  broken('files', 'a folder is listed by name', (files) => ({
    list: async (...given) => [...(await files.list(...given))].reverse(),
  })),
  broken('files', 'every verb keeps to the root and to absolute paths', () => ({ stat: async () => undefined })),
  broken('files', 'grep finds lines, files and counts', (files) => ({
    grep: (query, scope) => files.grep({ ...query, ignoreCase: true }, scope),
  })),
  broken('files', 'grep finds lines, files and counts', (files) => ({
    grep: (query, scope) => files.grep({ ...query, before: 0 }, scope),
  })),
  broken('files', 'grep finds lines, files and counts', (files) => ({
    grep: (query, scope) => files.grep({ ...query, onlyMatching: false }, scope),
  })),
  broken('files', 'grep finds lines, files and counts', (files) => ({
    grep: (query, scope) => files.grep({ ...query, limit: 99 }, scope),
  })),
  broken('files', 'glob finds by pattern, newest first, hidden files too, and never in .git', (files) => ({
    glob: async (query, scope) => {
      const { paths, ...found } = await files.glob({ ...query, maxFiles: 99 }, scope);
      return { ...found, paths: [...paths].reverse().slice(0, query.maxFiles) };
    },
  })),
  broken('files', 'glob finds by pattern, newest first, hidden files too, and never in .git', (files) => ({
    glob: (query, scope) => files.glob({ ...query, maxFiles: 99 }, scope),
  })),
  outcome('a command that ends has its exit code and its output, and is no error', () => ({ exitCode: 0 })),
  outcome('characters of several bytes come whole', ({ output }) => ({
    output: Buffer.from(output).toString('latin1'),
  })),
  request('a command starts in the root, or in the folder below it that is asked for', { cwd: undefined }),
  request('variables of the request are set', { env: {} }),
  outcome('a time limit ends all that it started', ({ timedOut }) => ({ timedOut: !timedOut })),
  outcome('long output is cut, and said to be', () => ({ truncated: false })),
  broken('shell', 'nothing starts after an abort', (shell) => ({ run: (given) => shell.run(given, whoever) })),
  outcome('a signal that ended it is told', () => ({ signal: undefined, exitCode: 1 })),
  broken('sandbox', 'it can be used here', () => ({ obstacle: async () => 'it is not installed' })),
  broken('sandbox', 'nothing outside the roots can be written', () => ({
    launch: ({ command, env }) => ({ file: '/bin/sh', arguments: ['-c', command], env }),
  })),
  broken('sandbox', 'quotes, variables and line breaks come through', () => ({
    launch: ({ command, env }) => ({ file: '/bin/sh', arguments: ['-c', `sh -c "${command}"`], env }),
  })),
  broken('search', 'there are no more than were asked for, and by default no more than ten', (search) => ({
    search: (query, scope) => search.search({ ...query, maxResults: 12 }, scope),
  })),
  broken('search', 'only allowed domains are shown, and their subdomains', (search) => ({
    search: ({ allowedDomains: _, ...query }, scope) => search.search(query, scope),
  })),
  broken('search', 'blocked domains are not shown, nor their subdomains', (search) => ({
    search: ({ blockedDomains: _, ...query }, scope) => search.search(query, scope),
  })),
  brokenPart('search', 'unreachable', 'a service that cannot be reached is told as search_unavailable', () => ({
    search: async () => [],
  })),
  broken('search', 'each result has a title and an address', (search) => ({
    search: async (...given) => (await search.search(...given)).map((one) => ({ ...one, url: '/page' })),
  })),
  broken('limiter', 'past the limit it refuses, and says when there is more', () => ({
    take: () => ({ ok: true, remaining: 0 }),
  })),
  fault('limiter', 'checking and taking are one step', () => {
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
  }),
  broken('limiter', 'each key has its own', (limiter) => ({ take: (given) => limiter.take({ ...given, key: 'one' }) })),
  broken('limiter', 'a cost counts as so many calls, whole or not at all', (limiter) => ({
    take: ({ cost: _, ...given }) => limiter.take(given),
  })),
  broken('http', 'a page comes with its status, type, character set and bytes', (http) => ({
    get: async (...given) => ({ ...(await http.get(...given)), mediaType: 'Text/HTML' }),
  })),
  broken('http', 'redirects are followed, and told', (http) => ({
    get: async (...given) => ({ ...(await http.get(...given)), redirects: [] }),
  })),
  broken('http', 'a status from 400 up is http_error, with the status', (http) => ({
    get: (given, scope) => http.get({ ...given, url: given.url.replace('missing', 'page') }, scope),
  })),
  broken('http', 'a body that is too large is refused', (http) => ({
    get: ({ maxBytes: _, ...given }, scope) => http.get(given, scope),
  })),
  broken('http', 'an abort ends a request', (http) => ({
    get: (given) => (given.url.endsWith('/slow') ? Promise.reject(new Error('late')) : http.get(given, whoever)),
  })),
  broken('mcp', 'a call gets the answer to its own input', (mcp) => ({
    callTool: (call, scope) => mcp.callTool({ ...call, input: { at: 1 } }, scope),
  })),
  broken('mcp', 'a server that is not there is mcp_unavailable', () => ({ callTool: async () => ({ content: [] }) })),
  broken('mcp', 'changes are told until nobody listens', (mcp) => ({
    subscribe: (listener) => {
      mcp.subscribe(listener);
      return () => {};
    },
  })),
  fault('store', 'what a writer changes later is not in the store', () => {
    const kept = new Map<string, Uint8Array>();
    return {
      store: {
        read: async (name: string) => ({ bytes: kept.get(name), mtimeMs: 1, version: '1' }),
        write: async (name: string, bytes: Uint8Array) => void kept.set(name, bytes),
        remove: async () => false,
        names: async () => [...kept.keys()],
      },
    };
  }),
  broken('store', 'the version changes with the content', (store) => ({
    read: async (...given) => {
      const found = await store.read(...given);
      return found && { ...found, version: '1' };
    },
  })),
  broken('todos', 'each session and each agent has its own', (todos) => ({
    get: () => todos.get(whoever),
    set: (list) => todos.set(list, whoever),
  })),
  broken('todos', 'a list takes the place of the old one', (todos) => ({
    set: async (list, scope) => todos.set([...(await todos.get(scope)), ...list], scope),
  })),
  broken('board', 'tasks are numbered, and listed in order', (board) => ({
    list: async (scope) => [...(await board.list(scope))].sort((one, other) => (one.id < other.id ? -1 : 1)),
  })),
  broken('board', 'a dependency stands at both ends', (board) => ({
    get: async (...given) => {
      const found = await board.get(...given);
      return found && { ...found, blocks: [] };
    },
  })),
  broken('board', 'a task that waits cannot be started', (board) => ({
    update: async (id, change, scope) => {
      const found = await board.get(id, scope);
      if (found === undefined) throw new ToolError('invalid_input', 'unknown');
      return change.status === undefined ? board.update(id, change, scope) : { ...found, status: 'in_progress' };
    },
  })),
  broken('config', 'it is what it was set to, until it is reset', () => ({ reset: () => {} })),
  fault('letters', 'what is added is kept whole, in order', () => {
    let last: unknown;
    return {
      letters: {
        add(one: unknown) {
          last = one;
        },
      },
      kept: () => [last],
    };
  }),
  fault('fingerprints', 'they are as they were set, whole, for each server', () => {
    const kept = new Map<string, unknown>();
    return {
      fingerprints: {
        get: (name: string) => kept.get(name),
        set: (name: string, prints: unknown) => void kept.set(name, prints),
      },
    };
  }),
  broken('spawner', 'an abort ends it', () => ({ spawn: () => new Promise<never>(() => {}) })),
  broken('spawner', 'a subagent ends with words, and what it took is counted', () => ({
    spawn: async () => ({ output: '', usage: { turns: 1 } }),
  })),
  brokenPart('suspensions', 'store', 'of many who ask at once one has it', () => ({ claim: async () => 'new' })),
  brokenPart('suspensions', 'store', 'turns and calls are apart', (store) => ({
    claim: (turn, call, scope) => store.claim('all', `${turn}${call}`, scope),
    settle: async () => {},
  })),
  fault('suspensions', 'the first who asks has the call, and every other what became of it', () => {
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
  }),
];

test('there are forty faults', () => expect(faults.length).toBeGreaterThanOrEqual(40));

test.each(faults)('%s: a fault is found by the case that %s', async (kind, name, make) => {
  const found = casesOf(kind).find((one) => one.name === name);
  await expect(found?.run(make as () => never)).rejects.toThrow();
});
