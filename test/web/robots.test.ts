import { expect, test } from 'vitest';
import { Robots } from '../../src/web/robots.js';
import { eachRow } from '../support/each-row.js';

const verdicts: readonly (readonly [robots: string, allowed: readonly string[], disallowed: readonly string[]])[] = [
  ['', ['/', '/x'], []],
  ['User-agent: *\nDisallow: /', [], ['/', '/x?y']],
  ['user-AGENT :*\r\n  disallow:/x # why not\rAllow: /y', ['/', '/y', '/X'], ['/x', '/xyz', '/x/y']],
  ['User-agent: other\nDisallow: /', ['/x'], []],
  ['User-agent: *\nDisallow: /\n\nUser-agent: Mine\nDisallow: /x', ['/', '/y'], ['/x']],
  ['User-agent: *\nDisallow: /x\nAllow: /x/y', ['/x/y', '/x/yz'], ['/x', '/x/z']],
  ['User-agent: *\nDisallow: /*.pdf$', ['/a.pdf?x', '/a.pdfx', '/pdf'], ['/a.pdf', '/a/b.pdf']],
  ['User-agent: *\nDisallow: /a?b=', ['/a', '/a?c=&b='], ['/a?b=1']],
  ['User-agent: __proto__\nDisallow: /x\nUser-agent: *\nDisallow: /y', ['/x'], ['/y']],
];

test('a file allows and disallows what it says', () =>
  eachRow(verdicts, async ([text, allowed, disallowed]) => {
    const robots = new Robots('Mine/1.0 (+https://example.com)', 1_000);
    const isAllowed = (path: string) =>
      robots
        .check(new URL(path, 'https://example.com'), async () => text)
        .then(
          () => true,
          () => false,
        );
    expect(await Promise.all(allowed.map(isAllowed))).toEqual(allowed.map(() => true));
    expect(await Promise.all(disallowed.map(isAllowed))).toEqual(disallowed.map(() => false));
  }));
