import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unicodeHost } from '../../src/text/unicode-host.js';

test.each([
  ['xn--ggle-55da.example', 'gооgle.example'],
  ['www.xn--80ak6aa92e.com', 'www.аррӏе.com'],
  ['xn--mnchen-3ya.de', 'münchen.de'],
  ['xn--fsqu00a.xn--0zwm56d', '例子.测试'],
  ['example.com', 'example.com'],
])('%s reads %s', (host, wanted) => {
  expect(unicodeHost(host)).toBe(wanted);
});

test.each(['xn--', 'xn--99999999', 'xn--a_b', `xn--${'a'.repeat(70)}`, 'xn--zzzzzzzz', 'XN--ggle-55da'])(
  '%s stays',
  (host) => {
    expect(unicodeHost(host)).toBe(host);
  },
);

test('every name that can be written in ASCII reads as the platform reads it', () => {
  const letter = fc.constantFrom(...'abcz09абвяαβωäöüß中文字日本語한국어אבגد'.normalize('NFC'));
  const label = fc.array(letter, { minLength: 1, maxLength: 16 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
      const ascii = domainToASCII(labels.join('.'));
      fc.pre(ascii !== '');
      expect(unicodeHost(ascii)).toBe(domainToUnicode(ascii));
    }),
    { numRuns: 2_000 },
  );
});

test('whatever stands behind the mark is answered', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof unicodeHost(`xn--${text}`) === 'string'));
});
