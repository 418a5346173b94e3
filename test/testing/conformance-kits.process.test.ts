import { ToolError } from 'toolwright';
import { bubblewrapSandbox } from 'toolwright/sandbox';
import { describe, expect, test } from 'vitest';
import type { ShellOutcome, ShellRequest } from '../../src/index.js';
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

test('the first case of the kit detects a sandbox that cannot be used here', async () => {
  const words = obstacle ?? 'it is not installed';
  const [, , make] = broken('sandbox', '', () => ({ obstacle: async () => words }));
  await expect(casesOf('sandbox')[0]?.run(make as () => never)).rejects.toThrow(words);
});

/** An implementation with one fault, and the case that detects it. */
type Fault = readonly [kind: Kind, name: string, make: () => unknown];

const fault = (kind: Kind, name: string, make: () => unknown): Fault => [kind, name, make];

/** A subject with replaced methods of one of its parts. Each replacement gets the original method. */
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

/** The same for the part with the name of its kind. */
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
  broken('files', 'slices are written in order', (files) => ({
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
  broken('files', 'an update returns whether it created the file, and its new state', (files) => ({
    update: async (...given) => {
      const made = await files.update(...given);
      return made && { ...made, created: true };
    },
  })),
  broken('files', 'a change gets the current content, or undefined for a new file', (files) => ({
    update: (path, change, ...more) => files.update(path, () => change(undefined), ...more),
  })),
  broken('files', 'a change that returns undefined or throws changes nothing', (files) => ({
    update: (path, change, ...more) =>
      files.update(path, async (now) => (await change(now)) ?? { slices: [] }, ...more),
  })),
  broken('files', 'a removed file is gone', () => ({ remove: async () => true })),
  broken('files', 'the entries of a folder are sorted by name', (files) => ({
    list: async (...given) => [...(await files.list(...given))].reverse(),
  })),
  broken('files', 'every method accepts only absolute paths inside the root', () => ({ stat: async () => undefined })),
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
  broken('files', 'glob finds files by pattern, newest first, including hidden ones but not .git', (files) => ({
    glob: async (query, scope) => {
      const { paths, ...found } = await files.glob({ ...query, maxFiles: 99 }, scope);
      return { ...found, paths: [...paths].reverse().slice(0, query.maxFiles) };
    },
  })),
  broken('files', 'glob finds files by pattern, newest first, including hidden ones but not .git', (files) => ({
    glob: (query, scope) => files.glob({ ...query, maxFiles: 99 }, scope),
  })),
  outcome('a command that ends resolves with its exit code and its output', () => ({ exitCode: 0 })),
  outcome('multi-byte characters are not broken', ({ output }) => ({
    output: Buffer.from(output).toString('latin1'),
  })),
  request('a command starts in the root, or in the requested folder below it', { cwd: undefined }),
  request('the environment variables of the request are set', { env: {} }),
  outcome('a time limit ends the command and its background processes', ({ timedOut }) => ({ timedOut: !timedOut })),
  outcome('long output is cut and marked as truncated', () => ({ truncated: false })),
  broken('shell', 'nothing starts after an abort', (shell) => ({ run: (given) => shell.run(given, whoever) })),
  outcome('the outcome names the signal that ended a command', () => ({ signal: undefined, exitCode: 1 })),
  broken('sandbox', 'the sandbox can be used on this machine', () => ({ obstacle: async () => 'it is not installed' })),
  broken('sandbox', 'commands cannot write outside the roots', () => ({
    launch: ({ command, env }) => ({ file: '/bin/sh', arguments: ['-c', command], env }),
  })),
  broken('sandbox', 'quotes, variables and line breaks of a command are kept', () => ({
    launch: ({ command, env }) => ({ file: '/bin/sh', arguments: ['-c', `sh -c "${command}"`], env }),
  })),
  broken('search', 'the number of results is limited, by default to ten', (search) => ({
    search: (query, scope) => search.search({ ...query, maxResults: 12 }, scope),
  })),
  broken('search', 'all results are from the allowed domains and their subdomains', (search) => ({
    search: ({ allowedDomains: _, ...query }, scope) => search.search(query, scope),
  })),
  broken('search', 'no result is from a blocked domain or its subdomains', (search) => ({
    search: ({ blockedDomains: _, ...query }, scope) => search.search(query, scope),
  })),
  brokenPart('search', 'unreachable', 'an unreachable service fails with search_unavailable', () => ({
    search: async () => [],
  })),
  broken('search', 'each result has a title and an address', (search) => ({
    search: async (...given) => (await search.search(...given)).map((one) => ({ ...one, url: '/page' })),
  })),
  broken('limiter', 'calls beyond the limit are refused, with the time to wait', () => ({
    take: () => ({ ok: true, remaining: 0 }),
  })),
  fault('limiter', 'checking and counting are one atomic step', () => {
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
  broken('limiter', 'each key has its own limit', (limiter) => ({
    take: (given) => limiter.take({ ...given, key: 'one' }),
  })),
  broken(
    'limiter',
    'a call with a cost counts as that many calls, and is granted in full or not at all',
    (limiter) => ({
      take: ({ cost: _, ...given }) => limiter.take(given),
    }),
  ),
  broken('http', 'a response has its status, media type, charset and bytes', (http) => ({
    get: async (...given) => ({ ...(await http.get(...given)), mediaType: 'Text/HTML' }),
  })),
  broken('http', 'redirects are followed and listed in the response', (http) => ({
    get: async (...given) => ({ ...(await http.get(...given)), redirects: [] }),
  })),
  broken('http', 'a status from 400 up fails with http_error and the status', (http) => ({
    get: (given, scope) => http.get({ ...given, url: given.url.replace('missing', 'page') }, scope),
  })),
  broken('http', 'a body that is too large is refused', (http) => ({
    get: ({ maxBytes: _, ...given }, scope) => http.get(given, scope),
  })),
  broken('http', 'an abort ends a request', (http) => ({
    get: (given) => (given.url.endsWith('/slow') ? Promise.reject(new Error('late')) : http.get(given, whoever)),
  })),
  broken('mcp', 'simultaneous calls get the answers to their own inputs', (mcp) => ({
    callTool: (call, scope) => mcp.callTool({ ...call, input: { at: 1 } }, scope),
  })),
  broken('mcp', 'a call of an unknown server fails with mcp_unavailable', () => ({
    callTool: async () => ({ content: [] }),
  })),
  broken('mcp', 'a subscriber gets changes until it unsubscribes', (mcp) => ({
    subscribe: (listener) => {
      mcp.subscribe((update) => void setImmediate(listener, update));
      return () => {};
    },
  })),
  broken('mcp', 'a subscriber gets changes until it unsubscribes', (mcp) => ({
    subscribe: (listener) => {
      mcp.subscribe(listener);
      return () => {};
    },
  })),
  fault('store', 'the store keeps a copy of the written bytes', () => {
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
  broken('todos', 'each session and each agent has its own list', (todos) => ({
    get: () => todos.get(whoever),
    set: (list) => todos.set(list, whoever),
  })),
  broken('todos', 'a list replaces the old one', (todos) => ({
    set: async (list, scope) => todos.set([...(await todos.get(scope)), ...list], scope),
  })),
  broken('board', 'tasks are numbered, and listed in order', (board) => ({
    list: async (scope) => [...(await board.list(scope))].sort((one, other) => (one.id < other.id ? -1 : 1)),
  })),
  broken('board', 'a dependency is stored in both tasks', (board) => ({
    get: async (...given) => {
      const found = await board.get(...given);
      return found && { ...found, blocks: [] };
    },
  })),
  broken('board', 'a task that waits for another cannot be started', (board) => ({
    update: async (id, change, scope) => {
      const found = await board.get(id, scope);
      if (found === undefined) throw new ToolError('invalid_input', 'unknown');
      return change.status === undefined ? board.update(id, change, scope) : { ...found, status: 'in_progress' };
    },
  })),
  broken('config', 'a setting keeps its value until it is reset', () => ({ reset: () => {} })),
  fault('letters', 'dead letters are kept unchanged and in order', () => {
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
  fault('fingerprints', 'fingerprints are stored and replaced as a whole, for each server', () => {
    const kept = new Map<string, unknown>();
    return {
      fingerprints: {
        get: (name: string) => kept.get(name),
        set: (name: string, prints: unknown) => void kept.set(name, prints),
      },
    };
  }),
  broken('spawner', 'an abort ends the subagent', () => ({ spawn: () => new Promise<never>(() => {}) })),
  broken('spawner', 'a subagent returns text, and its usage, if any, consists of whole numbers', () => ({
    spawn: async () => ({ output: '', usage: { turns: 1 } }),
  })),
  brokenPart('suspensions', 'store', 'exactly one of several simultaneous claims returns "new"', () => ({
    claim: async () => 'new',
  })),
  brokenPart('suspensions', 'store', 'claims of different turns or calls are independent', (store) => ({
    claim: (turn, call, scope) => store.claim('all', `${turn}${call}`, scope),
    settle: async () => {},
  })),
  fault('suspensions', 'the first claim returns "new", and later claims return the settled result', () => {
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

test.each(faults)('%s: a fault is detected by the case that %s', async (kind, name, make) => {
  const found = casesOf(kind).find((one) => one.name === name);
  await expect(found?.run(make as () => never)).rejects.toThrow();
});
