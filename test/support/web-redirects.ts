import fc from 'fast-check';
import { ToolError } from 'toolwright';
import { expect } from 'vitest';
import { callScope } from './call-scope.js';
import { type DnsAnswer, webWorld } from './web-world.js';

const octet = fc.nat(255);
const publicFour = fc.constantFrom('93.184.215.14', '8.8.8.8', '172.33.0.1', '100.128.0.1', '192.0.3.1');
const privateFour = fc.oneof(
  fc.tuple(fc.constantFrom(10, 127, 0, 224, 239, 240, 255), octet, octet, octet).map((parts) => parts.join('.')),
  fc.tuple(fc.integer({ min: 16, max: 31 }), octet, octet).map((parts) => `172.${parts.join('.')}`),
  fc.tuple(fc.integer({ min: 64, max: 127 }), octet, octet).map((parts) => `100.${parts.join('.')}`),
  fc.tuple(fc.constantFrom('192.168', '169.254', '198.18', '198.19'), octet, octet).map((parts) => parts.join('.')),
);
const group = fc.nat(0xffff).map((word) => word.toString(16));
const privateSix = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('fc00', 'fd12', 'fe80', 'febf', 'fec0', 'ff02', '2002', '2001:db8', '2001:0', '100'),
      group,
      group,
    )
    .map((parts) => `${parts[0]}:${parts[1]}::${parts[2]}`),
  fc.constantFrom('::', '::1'),
  fc
    .tuple(fc.constantFrom('::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'), privateFour)
    .map((parts) => parts.join('')),
);
const publicSix = fc.constantFrom('2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '64:ff9b::8.8.8.8');

/** The notations of an IPv4 address in a URL. */
const spelled = (address: fc.Arbitrary<string>) =>
  fc
    .tuple(address, fc.constantFrom('dotted', 'decimal', 'hex', 'octal', 'short', 'wide', 'dot'))
    .map(([text, form]) => {
      const parts = text.split('.').map(Number);
      const [a = 0, b = 0, c = 0, d = 0] = parts;
      if (form === 'decimal') return String(((a * 256 + b) * 256 + c) * 256 + d);
      if (form === 'hex') return parts.map((part) => `0x${part.toString(16)}`).join('.');
      if (form === 'octal') return parts.map((part) => `0${part.toString(8)}`).join('.');
      if (form === 'short') return `${a}.${(b * 256 + c) * 256 + d}`;
      if (form === 'wide') return text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
      return form === 'dot' ? `${text}.` : text;
    });

const names = ['a.example', 'b.example', 'c.example'];
const host = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names, 'a.example.', 'A.EXAMPLE') },
  { weight: 2, arbitrary: spelled(privateFour) },
  { weight: 1, arbitrary: spelled(publicFour) },
  { weight: 1, arbitrary: fc.oneof(privateSix, publicSix).map((address) => `[${address}]`) },
);
const address = fc
  .tuple(
    fc.constantFrom('http://', 'http://user@', 'ftp://', 'http:', '//'),
    host,
    fc.constantFrom('', ':80', ':8080'),
    fc.constantFrom('/', '/x?y=http://10.0.0.1/'),
  )
  .map((parts) => parts.join(''));
const answers = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: publicFour },
        publicSix,
        privateFour,
        privateSix,
        fc.constantFrom('10.0.0.1%1', 'localhost', '2130706433'),
      ),
      { maxLength: 3 },
    ),
  },
  { weight: 1, arbitrary: fc.constant('servfail' as const) },
) as fc.Arbitrary<DnsAnswer>;
const dns = fc.tuple(...names.map(() => fc.array(answers, { minLength: 1, maxLength: 3 })));

/** Public addresses, which are the only ones in the tests below. */
const open: ReadonlySet<string> = new Set([
  '93.184.215.14',
  '8.8.8.8',
  '172.33.0.1',
  '100.128.0.1',
  '192.0.3.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
]);

/**
 * Property: for any request, redirects and resolved names, only public addresses are connected to, and each call ends.
 */
export async function checkRedirects(numRuns: number): Promise<void> {
  let landed = 0;
  const property = fc.asyncProperty(
    address,
    fc.array(address, { maxLength: 4 }),
    dns,
    fc.constantFrom(302, 303, 307),
    async (url, locations, lists, status) => {
      let served = 0;
      const { client, connected } = webWorld({
        dns: Object.fromEntries(
          names.flatMap((name, index) => [
            [name, lists[index] ?? []],
            [`${name}.`, lists[index] ?? []],
          ]),
        ),
        serve: (_request, response) => {
          const location = locations[served++];
          response
            .writeHead(
              location === undefined ? 200 : status,
              location === undefined ? {} : { location: Buffer.from(location).toString('latin1') },
            )
            .end();
        },
      });
      const outcome = await client.get({ url }, callScope()).catch((error: unknown) => error);
      expect(connected.filter(({ ip }) => !open.has(ip))).toEqual([]);
      expect(ToolError.is(outcome) ? ['url_blocked', 'network_failed', 'http_error'] : [200]).toContain(
        ToolError.is(outcome) ? outcome.code : (outcome as { readonly status: number }).status,
      );
      landed += ToolError.is(outcome) ? 0 : 1;
    },
  );
  await fc.assert(property, { numRuns });
  // Without this check, refusing every request would pass.
  expect(landed).toBeGreaterThan(0);
}
