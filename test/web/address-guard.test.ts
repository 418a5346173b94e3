import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callScope } from '../support/call-scope.js';
import { eachRow, table } from '../support/each-row.js';
import { checkRedirects } from '../support/web-redirects.js';
import { type Internet, webWorld } from '../support/web-world.js';

const open = '93.184.215.14';

/** The result of a call: its error code or status, and the number of connections. */
async function fate(url: string, internet: Internet = {}) {
  const { client, connected } = webWorld(internet);
  const outcome = await client.get({ url }, callScope()).then(
    ({ status }) => status,
    (error) => error.code,
  );
  return { outcome, connected: connected.map(({ ip }) => ip) };
}

describe('never connects to', () => {
  const literals: readonly (readonly [what: string, ...urls: readonly string[]])[] = [
    [
      'loopback',
      'http://127.0.0.1/',
      'http://127.9.8.7:8080/',
      'https://127.0.0.1/',
      'http://[::1]/',
      'http://[0:0:0:0:0:0:0:1]/',
    ],
    ['this network', 'http://0.0.0.0/', 'http://0/', 'http://[::]/'],
    ['private networks', 'http://10.1.2.3/', 'http://172.16.0.1/', 'http://172.31.255.255/', 'http://192.168.0.1/'],
    ['link-local addresses', 'http://169.254.0.1/', 'http://[fe80::1]/', 'http://[febf::1]/'],
    [
      'metadata services',
      'http://169.254.169.254/latest/meta-data/',
      'http://100.100.100.200/',
      'http://168.63.129.16/',
      'http://[fd00:ec2::254]/',
    ],
    ['carrier networks', 'http://100.64.0.1/', 'http://100.127.255.255/'],
    ['unique local and site-local addresses', 'http://[fc00::1]/', 'http://[fdff::1]/', 'http://[fec0::1]/'],
    [
      'multicast and broadcast',
      'http://224.0.0.1/',
      'http://239.255.255.250/',
      'http://255.255.255.255/',
      'http://[ff02::1]/',
    ],
    [
      'reserved addresses',
      'http://240.0.0.1/',
      'http://192.0.0.1/',
      'http://[100::1]/',
      'http://[4000::1]/',
      'http://[5f00::1]/',
    ],
    [
      'documentation',
      'http://192.0.2.1/',
      'http://198.51.100.7/',
      'http://203.0.113.9/',
      'http://[2001:db8::1]/',
      'http://[3fff::1]/',
    ],
    ['benchmarks', 'http://198.18.0.1/', 'http://198.19.255.255/', 'http://[2001:2::1]/'],
    [
      'other spellings',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0x7f.1/',
      'http://0177.0.0.1/',
      'http://127.1/',
      'http://①②⑦.0.0.1/',
      'http:10.0.0.1',
    ],
    [
      'mapped addresses',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:a00:1]/',
      'http://[0:0:0:0:0:ffff:c0a8:1]/',
      'http://[::ffff:0:10.0.0.1]/',
    ],
    ['compatible addresses', 'http://[::10.0.0.1]/', 'http://[::7f00:1]/', 'http://[::8.8.8.8]/'],
    [
      'translated addresses',
      'http://[64:ff9b::10.0.0.1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://[64:ff9b:1::8.8.8.8]/',
      'http://[64:ff9b::]/',
    ],
    [
      'tunnels',
      'http://[2002:a00:1::]/',
      'http://[2002:808:808::1]/',
      'http://[2001:0:808:808::1]/',
      'http://[2001:0:a00:1::]/',
    ],
    ['trailing dots', 'http://127.0.0.1./', 'http://0x7f.1./', 'http://127.0.0.1../', 'http://localhost./'],
    [
      'other schemes',
      'file:///etc/passwd',
      'ftp://example.org/',
      'dict://localhost:11211/',
      'gopher://10.0.0.1/',
      'data:,x',
      'javascript:1',
      'ws://example.org/',
    ],
    ['users and passwords', 'http://good.example@10.2.3.4/', 'http://user:pass@example.org/', 'http://:x@example.org/'],
    [
      'what is no address',
      '',
      'example.org',
      'http://',
      'http:///',
      'http://[fe80::1%25eth0]/',
      'http://256.1.1.1/',
      'http://a b/',
      '//10.0.0.1/',
    ],
  ];

  test('a private address in any notation', () =>
    eachRow(literals, async ([, ...urls]) => {
      for (const url of urls) {
        const { outcome, connected } = await fate(url, {
          dns: { 'example.org': [[open]], 'localhost.': [['127.0.0.1']], '127.0.0.1..': [['127.0.0.1']] },
        });
        expect({ url, outcome, connected }).toEqual({ url, outcome: 'url_blocked', connected: [] });
      }
    }));

  const answers: readonly (readonly [what: string, answer: readonly string[], outcome: string])[] = [
    ['a name of a private address', ['172.20.0.3'], 'url_blocked'],
    ['a name with a private address among public ones', [open, '2606:4700::1111', '10.0.0.1'], 'url_blocked'],
    ['a name of an address with a zone', ['fe80::1%eth0'], 'url_blocked'],
    ['a name of a public address with a zone', ['2606:4700::1111%eth0'], 'url_blocked'],
    ['a name of what is no address', ['localhost'], 'url_blocked'],
    ['a name of an address in another spelling', ['2130706433'], 'url_blocked'],
    ['a name without addresses', [], 'network_failed'],
  ];

  test('a name with a private address', () =>
    eachRow(answers, async ([, answer, wanted]) => {
      const { outcome, connected } = await fate('http://x.example/', { dns: { 'x.example': [answer] } });
      expect({ outcome, connected }).toEqual({ outcome: wanted, connected: [] });
    }));

  test('a name that cannot be resolved', async () =>
    expect(await fate('http://x.example/', { dns: { 'x.example': ['servfail'] } })).toEqual({
      outcome: 'network_failed',
      connected: [],
    }));

  test('a name whose look-up does not end', async () => {
    const internet: Internet = { dns: { 'x.example': ['hang'] }, options: { limits: { timeoutMs: 5 } } };
    expect(await fate('http://x.example/', internet)).toEqual({ outcome: 'timeout', connected: [] });
  });

  test('the second address of a name that was checked by its first (DNS rebinding)', async () => {
    const { client, connected, lookups } = webWorld({ dns: { 'x.example': [[open], ['10.0.0.1']] } });
    await client.get({ url: 'http://x.example/' }, callScope());
    expect(connected).toEqual([{ ip: open, port: 80, hostname: 'x.example', secure: false }]);
    expect(lookups).toEqual(['x.example']);
    await expect(client.get({ url: 'http://x.example/' }, callScope())).rejects.toMatchObject({ code: 'url_blocked' });
    expect(connected).toHaveLength(1);
  });
});

table([
  'https://172.33.0.1/',
  'http://100.63.0.1/',
  'http://100.128.0.1/',
  'http://192.0.1.1/',
  'http://[2606:4700:4700::1111]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[64:ff9b::808:808]/',
  'https://example.org/?next=http://localhost',
  'http://EXAMPLE.org:8080/',
])('connects to public addresses', async (url) => {
  const { connected } = await fate(url, { dns: { 'example.org': [[open]] } });
  expect(connected).toHaveLength(1);
});

describe('redirects', () => {
  beforeEach(() => void vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0'));
  afterEach(() => void vi.unstubAllEnvs());

  const dns = {
    'z.example': [[open]],
    'y.example': [[open]],
    'rebound.example': [[open], ['10.0.0.1']],
    'inner.example': [['192.168.1.1']],
  };
  const hops: readonly (readonly [to: string, outcome: string | number, connections: number])[] = [
    ['http://10.9.8.7/', 'url_blocked', 1],
    ['http://inner.example/', 'url_blocked', 1],
    ['//inner.example/', 'url_blocked', 1],
    ['http://[::ffff:169.254.169.254]/', 'url_blocked', 1],
    ['file:///etc/passwd', 'url_blocked', 1],
    ['http://user:pass@y.example/', 'url_blocked', 1],
    ['http://[', 'http_error', 1],
    ['http://z.example/', 'http_error', 6],
    ['/again', 'http_error', 6],
  ];

  test('are checked like new requests', () =>
    eachRow(hops, async ([location, wanted, connections]) => {
      const serve: Internet['serve'] = (_request, response) => void response.writeHead(302, { location }).end();
      const { outcome, connected } = await fate('http://z.example/', { dns, serve });
      expect({ outcome, connected: connected.length }).toEqual({ outcome: wanted, connected: connections });
    }));

  test('resolve the name again at each hop', async () => {
    const serve: Internet['serve'] = (_request, response) => void response.writeHead(302, { location: '/again' }).end();
    expect(await fate('http://rebound.example/', { dns, serve })).toEqual({
      outcome: 'url_blocked',
      connected: [open],
    });
  });

  test('do not lead from https to http', async () => {
    const serve =
      (location: string): RequestListener =>
      (request, response) =>
        void (request.url === '/' ? response.writeHead(302, { location }).end() : response.end('there'));
    expect((await fate('https://z.example/', { dns, serve: serve('http://y.example/x') })).outcome).toBe('url_blocked');
    expect((await fate('https://z.example/', { dns, serve: serve('https://y.example/x') })).outcome).toBe(200);
    expect((await fate('http://z.example/', { dns, serve: serve('https://y.example/x') })).outcome).toBe(200);
  });

  test('random requests never connect to a private address', async () => {
    await checkRedirects(300);
  });
});

describe('hosts', () => {
  const dns = Object.fromEntries(
    ['example.org', 'a.example.org', 'badexample.org', 'inner', 'xn--bcher-kva.example'].map((name) => [
      name,
      [[name === 'inner' ? '10.0.0.1' : open]],
    ]),
  );
  const reached = async (url: string, options: Internet['options'] = {}) => (await fate(url, { dns, options })).outcome;

  test('with allowHosts, only these and their subdomains are reached', async () => {
    const options = { allowHosts: ['*.Example.org.', 'bücher.example'] };
    expect(await reached('http://example.org/', options)).toBe(200);
    expect(await reached('http://a.example.org/', options)).toBe(200);
    expect(await reached('http://xn--bcher-kva.example/', options)).toBe(200);
    expect(await reached('http://badexample.org/', options)).toBe('url_blocked');
    expect(await reached('http://example.org/', { allowHosts: [] })).toBe('url_blocked');
  });

  test('a denied host is not reached by name or address, even if allowed elsewhere', async () => {
    const options = { allowHosts: ['example.org'], allowPrivate: true };
    expect(await reached('http://a.example.org/', { ...options, denyHosts: ['a.example.org'] })).toBe('url_blocked');
    expect(await reached('http://a.example.org./', { ...options, denyHosts: ['a.example.org'] })).toBe('url_blocked');
    expect(await reached('http://example.org/', { ...options, denyHosts: [open] })).toBe('url_blocked');
    expect(await reached('http://example.org/', { ...options, denyHosts: ['a.example.org'] })).toBe(200);
  });

  test('private addresses are reached if the host allows them', async () => {
    expect(await reached('http://inner/', { allowPrivate: ['inner'] })).toBe(200);
    expect(await reached('http://inner/', { allowPrivate: true })).toBe(200);
    expect(await reached('http://10.0.0.1/', { allowPrivate: ['inner'] })).toBe('url_blocked');
    expect(await reached('http://[::1]/', { allowPrivate: ['::1'] })).toBe(200);
  });
});

table([
  'http://[::ffff:93.184.215.14]/',
  'http://[::ffff:5db8:d70e]/',
  'http://[64:ff9b::93.184.215.14]/',
  'http://mapped.example/',
])('a denied address is denied in every notation', async (url) => {
  const { client, connected } = webWorld({
    dns: { 'mapped.example': [['::ffff:93.184.215.14']] },
    options: { denyHosts: [open] },
  });
  await expect(client.get({ url }, callScope())).rejects.toMatchObject({ code: 'url_blocked' });
  expect(connected).toEqual([]);
});
