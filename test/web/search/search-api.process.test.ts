import type { RequestListener } from 'node:http';
import { braveSearch, exaSearch, searxngSearch, stubSearch, tavilySearch } from 'toolwright/web';
import { describe, expect, test } from 'vitest';
import {
  createHttpClient,
  createToolkit,
  type SearchOptions,
  type SearchProvider,
  type SearchQuery,
} from '../../../src/index.js';
import { callScope } from '../../support/call-scope.js';
import { webServer } from '../../support/web-server.js';

const scope = callScope();
const apiKey = ['BSA', 'k3y', 'of', 'n0b0dy', 'at', 'all'].join('-');

interface Service {
  readonly name: string;
  readonly make: (url: string, options?: Partial<SearchOptions>) => SearchProvider;
  /** Its documented response with these pages. */
  readonly answer: (
    pages: readonly { readonly title?: unknown; readonly url?: unknown; readonly text?: unknown }[],
  ) => object;
  readonly asked: object;
  readonly askedOfDomains: object;
}

const services: readonly Service[] = [
  {
    name: 'Brave Search',
    make: (url, options) => braveSearch({ apiKey, endpoint: `${url}/res/v1/web/search`, ...options }),
    answer: (pages) => ({
      type: 'search',
      query: { original: 'x', more_results_available: false },
      web: {
        type: 'search',
        results: pages.map(({ text, ...page }) => ({ ...page, description: text, language: 'en', meta_url: {} })),
      },
    }),
    asked: {
      method: 'GET',
      url: '/res/v1/web/search?q=two+words&count=10',
      headers: { 'x-subscription-token': apiKey },
    },
    askedOfDomains: { url: expect.stringContaining('?q=two+words+%28site%3Aexample.org+OR+site%3Ab.example%29&') },
  },
  {
    name: 'Tavily',
    make: (url, options) => tavilySearch({ apiKey, endpoint: `${url}/search`, ...options }),
    answer: (pages) => ({
      query: 'x',
      images: [],
      results: pages.map(({ text, ...page }) => ({ ...page, content: text, score: 0.9, raw_content: null })),
      response_time: '1.2',
    }),
    asked: {
      method: 'POST',
      url: '/search',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: expect.stringContaining('"query":"two words","max_results":10'),
    },
    askedOfDomains: { body: expect.stringContaining('"include_domains":["example.org","b.example"]') },
  },
  {
    name: 'Exa',
    make: (url, options) => exaSearch({ apiKey, endpoint: `${url}/search`, ...options }),
    answer: (pages) => ({
      requestId: 'b5',
      results: pages.map(({ text, ...page }) => ({
        ...page,
        id: 'x',
        publishedDate: '2026-01-01',
        highlights: [text],
        highlightScores: [0.4],
      })),
      costDollars: { total: 0.005 },
    }),
    asked: {
      method: 'POST',
      url: '/search',
      headers: { 'x-api-key': apiKey },
      body: expect.stringMatching(/"query":"two words","numResults":10(?!.*Domains)/),
    },
    askedOfDomains: { body: expect.stringContaining('"includeDomains":["example.org","b.example"]') },
  },
  {
    name: 'SearXNG',
    make: (url, options) => searxngSearch({ url: `${url}/searx/`, ...(options?.http && { http: options.http }) }),
    answer: (pages) => ({
      query: 'x',
      number_of_results: 0,
      results: pages.map(({ text, ...page }) => ({
        ...page,
        content: text,
        engine: 'duckduckgo',
        engines: [],
        positions: [1],
        score: 1,
      })),
      answers: [],
      suggestions: [],
      unresponsive_engines: [],
    }),
    asked: { method: 'GET', url: '/searx/search?q=two+words&format=json' },
    askedOfDomains: { url: expect.stringContaining('%28site%3Aexample.org+OR+site%3Ab.example%29') },
  },
];

const pages = [
  { title: ' One\n page ', url: 'https://example.org/1', text: 'first\t text' },
  { title: 'Other', url: 'http://sub.example.org/2?a=b c' },
  { title: 'Strange', url: 'https://notexample.org/', text: 5 },
  { url: 'https://b.example/' },
  { title: 'Script', url: 'javascript:alert(1)' },
  { title: 'None', url: 'nowhere' },
  { title: 'Missing' },
];

/** A server with one response to all requests, and a provider that uses it. */
async function world({ make }: Service, serve: RequestListener, options?: Partial<SearchOptions>) {
  const server = await webServer(serve);
  const provider = make(server.url, options);
  return {
    ...server,
    provider,
    search: (query: Partial<SearchQuery> = {}) => provider.search({ query: 'two words', ...query }, scope),
  };
}

const json =
  (value: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

describe.each(services)('$name', (service) => {
  const { name, answer, asked, askedOfDomains } = service;

  test('is called as documented, and its response becomes plain results', async () => {
    const { requests, search } = await world(service, json(answer(pages)));
    expect(await search()).toEqual([
      { title: 'One page', url: 'https://example.org/1', snippet: 'first text' },
      { title: 'Other', url: 'http://sub.example.org/2?a=b%20c' },
      { title: 'Strange', url: 'https://notexample.org/' },
      { title: 'b.example', url: 'https://b.example/' },
    ]);
    expect(requests).toMatchObject([asked]);
  });

  test('gets the domains, and its results are filtered by them too', async () => {
    const { requests, search } = await world(service, json(answer(pages)));
    const allowed = await search({ allowedDomains: ['Example.org.', '*.b.example'] });
    expect(allowed.map(({ url }) => url)).toEqual([
      'https://example.org/1',
      'http://sub.example.org/2?a=b%20c',
      'https://b.example/',
    ]);
    expect(requests).toMatchObject([askedOfDomains]);
    const others = await search({ blockedDomains: ['example.org'] });
    expect(others.map(({ url }) => url)).toEqual(['https://notexample.org/', 'https://b.example/']);
  });

  test('returns at most the requested number', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      title: `${index}`.repeat(400),
      url: `https://example.org/${index}`,
      text: '\u{1F600}x'.repeat(500),
    }));
    const { search } = await world(service, json(answer(many)));
    expect(await search()).toHaveLength(10);
    expect(await search({ maxResults: 3 })).toHaveLength(3);
    for (const { title, snippet = '' } of await search())
      expect(title.length <= 300 && snippet.length <= 1_000 && snippet.isWellFormed()).toBe(true);
  });

  test('may return no results', async () =>
    expect(await (await world(service, json(answer([])))).search()).toEqual([]));

  const echo =
    (status: number, headers = {}): RequestListener =>
    (request, response) =>
      void response
        .writeHead(status, { ...headers, 'x-echo': apiKey })
        .end(JSON.stringify({ error: { ...request.headers } }));
  const troubles: readonly (readonly [what: string, serve: RequestListener, reason: string, rest: object])[] = [
    ['401', echo(401), 'HTTP 401. Tell the user', { metadata: { status: 401 } }],
    ['403', echo(403), 'HTTP 403. Tell the user', { metadata: { status: 403 } }],
    ['429', echo(429, { 'retry-after': '30' }), 'HTTP 429. Its quota is used up', { retryAfterMs: 30_000 }],
    ['400', echo(400), 'HTTP 400. Tell the user', { metadata: { status: 400 } }],
    ['500', echo(500), 'HTTP 500. Try again later', { metadata: { status: 500 } }],
    ['a redirect to another host', echo(302, { location: 'http://[::1]:1/' }), 'failed', {}],
    ['garbage', (_request, response) => void response.end('<html>'), 'did not return a list of results', {}],
    [
      'half of its JSON',
      (_request, response) => void response.end('{"results":['),
      'did not return a list of results',
      {},
    ],
    [
      'JSON of another kind',
      json({ web: { results: 'none' }, results: { __proto__: [] } }),
      'did not return a list of results',
      {},
    ],
    ['null', json(null), 'did not return a list of results', {}],
    ['items that are none', json(answer([{ title: apiKey }, {}])), 'returned invalid results', {}],
    ['far too much', (_request, response) => void response.end(Buffer.alloc(3_000_000)), 'returned too much data', {}],
    ['nothing at all', (request) => void request.socket.destroy(), 'could not be reached', {}],
    ['no end', () => {}, 'in time', {}],
  ];

  test.each(troubles)('with the response %s is unavailable, with the reason', async (what, serve, reason, rest) => {
    const http = what === 'no end' ? { http: createHttpClient({ allowPrivate: true, limits: { timeoutMs: 20 } }) } : {};
    const { search } = await world(service, serve, http);
    const error = await search().catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'search_unavailable', message: expect.stringContaining(reason), ...rest });
    expect(error.message).toMatch(new RegExp(`^${name} `));
    expect(JSON.stringify([error.message, error.metadata, String(error.cause), error.stack])).not.toContain(apiKey);
  });

  test('stops at an abort', async () => {
    const stop = new AbortController();
    const { provider } = await world(service, () => stop.abort());
    await expect(provider.search({ query: 'x' }, callScope({ signal: stop.signal }))).rejects.toMatchObject({
      code: 'interrupted',
    });
  });
});

test.each(services.filter(({ make }) => (make('http://127.0.0.1:1').secrets?.() ?? []).length > 0))(
  'the key of $name is in no output and no event, for any response of the service',
  async ({ make, answer }) => {
    const echoes = answer([{ title: `key ${apiKey}`, url: `https://example.org/?k=${apiKey}`, text: apiKey }]);
    for (const status of [200, 401, 500]) {
      const { url } = await webServer((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json', 'x-key': apiKey });
        response.end(JSON.stringify(status === 200 ? echoes : { error: `wrong key ${apiKey}` }));
      });
      const events: unknown[] = [];
      await using toolkit = createToolkit({
        root: '/',
        hosts: { search: make(url) },
        permissions: 'bypassPermissions',
        onEvent: (event) => events.push(event),
      });
      const result = await toolkit.call('WebSearch', { query: 'anything' });
      expect(result.ok).toBe(status === 200);
      expect(JSON.stringify([result, events])).not.toContain(apiKey);
    }
  },
);

test('the key of a provider is passed only to the scrubber', () => {
  expect(braveSearch({ apiKey }).secrets?.()).toEqual([apiKey]);
  expect(JSON.stringify(tavilySearch({ apiKey }))).toBe('{}');
  expect(searxngSearch({ url: 'http://127.0.0.1:8888' }).secrets?.()).toEqual([]);
});

test('a query that is too long with its domains is sent without them', async () => {
  const { requests, search } = await world(services[0] as Service, json({ type: 'search', query: {} }));
  expect(await search({ query: 'x'.repeat(395), allowedDomains: ['example.org'] })).toEqual([]);
  expect(requests[0]?.url).toContain(`?q=${'x'.repeat(395)}&`);
});

test.each([
  ['braveSearch', () => braveSearch({ apiKey: undefined as never }), 'pass apiKey'],
  ['exaSearch', () => exaSearch({} as never), 'pass apiKey'],
  ['tavilySearch', () => tavilySearch({ apiKey: `${apiKey}\n` }), 'apiKey takes a key'],
  ['exaSearch', () => exaSearch({ apiKey, endpoint: 'api.exa.ai' }), 'endpoint takes an http(s) address'],
  [
    'searxngSearch',
    () => searxngSearch({ url: 'localhost:8888' }),
    'url takes an http(s) address without a user and a password, not another text',
  ],
  ['searxngSearch', () => searxngSearch({ url: 'http://h', endpoint: 'http://h' } as never), 'endpoint is no option'],
  ['braveSearch', () => braveSearch({ apiKey, http: {} as never }), 'http takes an HTTP client'],
  ['braveSearch', () => braveSearch({ apiKey, endPoint: 'x' } as never), 'endPoint is no option'],
])('%s with an invalid option throws', (what, make, message) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(`${what}: ${message}`);
  expect(make).not.toThrow(apiKey);
});

test('a stub returns its results, or by default a page that names the query', async () => {
  const given = [
    { title: 'A', url: 'https://a.example/' },
    { title: 'B', url: 'https://b.example/', snippet: 'b' },
  ];
  expect(await stubSearch(given).search({ query: 'x' }, scope)).toEqual(given);
  expect(await stubSearch(given).search({ query: 'x', blockedDomains: ['a.example'] }, scope)).toEqual(given.slice(1));
  expect(await stubSearch().search({ query: 'cats' }, scope)).toMatchObject([
    { title: expect.stringContaining('cats') },
  ]);
});
