import { expect, test } from 'vitest';
import { robotsCheck } from '../../src/web/fetch/robots.js';
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
  ['User-agent: *\nDisallow: /~u', ['/u', '/%257Eu'], ['/%7Eu', '/%7eu/x', '/~u']],
  ['User-agent: *\nDisallow: /%7Eu', ['/%75'], ['/~u', '/%7e%75']],
  ['User-agent: *\nDisallow: /caf%c3%a9', ['/cafe'], ['/café', '/caf%C3%A9', '/%63af%c3%A9']],
  ['User-agent: *\nDisallow: /müll', ['/mull'], ['/m%c3%bcll', '/müll/x']],
  ['User-agent: *\nDisallow: /a%2Db%2Ehtml', ['/a-bxhtml'], ['/a-b.html', '/a%2db.html']],
  ['User-agent: *\nDisallow: /a%2Fb', ['/a/b'], ['/a%2fb']],
  ['User-agent: *\nDisallow: /a%2Ab', ['/axb'], ['/a*b', '/a%2ab']],
  ['User-agent: *\nDisallow: /a$b', ['/a', '/axb'], ['/a$b', '/a%24b']],
  ['User-agent: *\nDisallow: /[x]', ['/x'], ['/[x]', '/%5bx%5D']],
  ['User-agent: *\nDisallow: /p?q=%61', ['/p?q=b'], ['/p?q=a', '/p?%71=a&b']],
  ['User-agent: *\nDisallow: /%3Cx%3E', ['/x'], ['/<x>', '/%3cx%3e']],
  ['User-agent: __proto__\nDisallow: /x\nUser-agent: *\nDisallow: /y', ['/x'], ['/y']],
];

test('a robots.txt file is interpreted by the standard', () =>
  eachRow(verdicts, async ([text, allowed, disallowed]) => {
    const check = robotsCheck('Mine/1.0 (+https://example.com)', 1_000);
    // Also with an IPv6 address, whose brackets do not belong to the path.
    const isAllowed = async (path: string) => {
      const checks = ['https://example.com', 'http://[::1]:8080'].map((base) =>
        check(new URL(path, base), async () => text).then(
          () => true,
          () => false,
        ),
      );
      const [first, second] = await Promise.all(checks);
      expect(second).toBe(first);
      return first;
    };
    expect(await Promise.all(allowed.map(isAllowed))).toEqual(allowed.map(() => true));
    expect(await Promise.all(disallowed.map(isAllowed))).toEqual(disallowed.map(() => false));
  }));
