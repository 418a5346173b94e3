import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createScrubber, scrubCredentials } from 'toolwright';
import { describe, expect, it } from 'vitest';
import { CredentialScan, type RuleIndex } from '../../src/secrets/credential-scan.js';
import type { CredentialRule } from '../../src/secrets/rules/rule.js';
import { credentialRules } from '../../src/secrets/rules/table.js';
import { eachRow, table } from '../support/each-row.js';
import { runs, sample } from '../support/runs.js';
import { alphanumeric, redactedCases, survivingTexts } from './scrubber-cases.js';
import { codeTexts } from './scrubber-code-texts.js';
import { issuedCases } from './scrubber-issued-cases.js';
import { ordinaryTexts, placeCases, severalCases } from './scrubber-place-cases.js';
import { alikeUnits, pieces, suspiciousText } from './scrubber-texts.js';

/** Whether a rule applies at `at`, by comparing its heads one by one. */
function beginsAt({ heads, anyCase, next }: CredentialRule, text: string, at: number): boolean {
  return heads.some((head) => {
    const found = text.slice(at, at + head.length);
    if (anyCase === true ? found.toLowerCase() !== head.toLowerCase() : found !== head) return false;
    const missing = Math.max(0, 4 - head.length);
    const following = text.slice(at + head.length, at + head.length + missing);
    return (
      following.length === missing &&
      [...following].every((character) => next?.includes(character) ?? /[\w-]/.test(character))
    );
  });
}

const root = join(import.meta.dirname, '../..');

describe('scrubCredentials', () => {
  it('hides exactly the secret', () =>
    eachRow([...redactedCases, ...issuedCases, ...placeCases], ({ before, secret, after }) =>
      expect(scrubCredentials(before + secret + after)).toBe(`${before}[REDACTED]${after}`),
    ));

  it('hides each of several secrets', () =>
    eachRow(severalCases, (marked) => {
      const scrubbed = marked.replace(/«.*?»/g, '[REDACTED]');
      expect(scrubCredentials(marked.replace(/[«»]/g, ''))).toBe(scrubbed);
      expect(scrubCredentials(scrubbed)).toBe(scrubbed);
    }));

  it('does not change', () =>
    eachRow([...survivingTexts, ...codeTexts, ...ordinaryTexts], (text) => expect(scrubCredentials(text)).toBe(text)));

  it('hides each line of a private key and keeps line breaks and surrounding text', () => {
    const key = ['-----BEGIN RSA PRIV', 'ATE KEY-----\nMIIEa1\r\nb2+/==\n-----END RSA PRIV', 'ATE KEY-----'].join('');
    expect(scrubCredentials(`before\n${key}\nafter`)).toBe(
      'before\n[REDACTED]\n[REDACTED]\r\n[REDACTED]\n[REDACTED]\nafter',
    );
  });

  it('keeps line numbers and indentation before the lines of a private key', () => {
    const key = [
      '     1\t  -----BEGIN PRIV',
      'ATE KEY-----\n     2\t  MIIEa1\n     3\t  -----END PRIV',
      'ATE KEY-----\n     4\tx: 1',
    ].join('');
    expect(scrubCredentials(key)).toBe(
      '     1\t  [REDACTED]\n     2\t  [REDACTED]\n     3\t  [REDACTED]\n     4\tx: 1',
    );
  });

  it('hides a private key that is cut off, but not the text after it', () => {
    const key = [
      '-----BEGIN OPENSSH PRIV',
      'ATE KEY-----\nb3BlbnNzaC1r\nZXktdjEAAAA=\n[2 lines omitted]\nDone: yes',
    ].join('');
    expect(scrubCredentials(key)).toBe('[REDACTED]\n[REDACTED]\n[REDACTED]\n[2 lines omitted]\nDone: yes');
  });

  it('hides a private key on one line of JSON', () => {
    const key = [
      '{"private_key": "-----BEGIN PRIV',
      'ATE KEY-----\\nMIIEa1\\nb2+/==\\n-----END PRIV',
      'ATE KEY-----\\n", "client_id": "1"}',
    ].join('');
    expect(scrubCredentials(key)).toBe('{"private_key": "[REDACTED]\\n", "client_id": "1"}');
  });

  const body = `Zx81kQ9wLm2${'pT7vR3nB'.repeat(6)}Q9a/+`;
  const lastLine = ['-----END PRIV', 'ATE KEY-----'].join('');

  table([
    [
      'plain',
      `above\n${body}\n${body}\nabcd==\n${lastLine}\nbelow`,
      'above\n[REDACTED]\n[REDACTED]\n[REDACTED]\n[REDACTED]\nbelow',
    ],
    ['numbered', `  12\t${body}\n  13\t${lastLine}\n`, '  12\t[REDACTED]\n  13\t[REDACTED]\n'],
    ['found by a search', `a.pem-7-${body}\na.pem:8:${lastLine}\n`, 'a.pem-7-[REDACTED]\na.pem:8:[REDACTED]\n'],
    ['taken out in a diff', `-${body}\n-${lastLine}\n x: 1`, '-[REDACTED]\n-[REDACTED]\n x: 1'],
    [
      'in a diff beside it',
      `@@ -1 +1 @@\n   ${body}\n   ${lastLine}\n-  a: 1\n+  a: 2`,
      '@@ -1 +1 @@\n   [REDACTED]\n   [REDACTED]\n-  a: 1\n+  a: 2',
    ],
    ['a checksum behind it', `${body}\nabcd==\n=aB3d\n${lastLine}`, '[REDACTED]\n[REDACTED]\n[REDACTED]\n[REDACTED]'],
  ])('hides the end of a private key without its beginning', (_name, text, scrubbed) => {
    expect(scrubCredentials(text)).toBe(scrubbed);
    const stream = createScrubber().stream();
    expect([...text].map((character) => stream.push(character)).join('') + stream.end()).toBe(scrubbed);
  });

  const around: readonly (readonly [string, (lines: readonly string[]) => string])[] = [
    ['nothing', (lines) => lines.join('\n')],
    ['carriage returns', (lines) => lines.join('\r\n')],
    ['a colour each', (lines) => lines.map((line) => `\u001b[32m${line}\u001b[0m`).join('\n')],
    ['one colour', (lines) => `\u001b[38;5;186m${lines.join('\n')}\u001b[0m`],
    [
      'what grep marks',
      (lines) => lines.map((l, i) => `\u001b[32m\u001b[K${i}\u001b[m\u001b[K:${l}\u001b[K`).join('\n'),
    ],
    [
      'the colours of a diff',
      (lines) => lines.map((line) => `\u001b[32m+\u001b[m\u001b[32m${line}\u001b[m`).join('\n'),
    ],
    ['line numbers', (lines) => lines.map((line, index) => `${index + 98}\t${line}`).join('\n')],
    ['line numbers and an arrow', (lines) => lines.map((line, index) => `     ${index + 98}→${line}`).join('\n')],
    ['line numbers in a frame', (lines) => lines.map((line, index) => `${index + 98} │ ${line}`).join('\n')],
    ['line numbers in brackets', (lines) => lines.map((line, index) => `[${index + 98}]${line}`).join('\n')],
    ['line numbers of a search in one file', (lines) => lines.map((line, index) => `${index + 98}:${line}`).join('\n')],
    ['line numbers around a hit', (lines) => lines.map((line, index) => `${index + 98}-${line}`).join('\n')],
    ['the name of the file', (lines) => lines.map((line) => `keys/a.pem:${line}`).join('\n')],
    ['the signs of a diff', (lines) => lines.map((line) => `+${line}`).join('\n')],
    ['the signs of another diff', (lines) => lines.map((line) => `< ${line}`).join('\n')],
    ['a quotation', (lines) => lines.map((line) => `> ${line}`).join('\n')],
    ['comments', (lines) => lines.map((line) => `  # ${line}`).join('\n')],
    ['comments of code', (lines) => lines.map((line) => `// ${line}`).join('\n')],
    ['times', (lines) => lines.map((line, index) => `2026-01-01T00:00:0${index % 10}Z ${line}`).join('\n')],
    ['strings that are added', (lines) => lines.map((line) => `  "${line}\\n" +`).join('\n')],
    ['a list of strings', (lines) => lines.map((line) => `  '${line}',`).join('\n')],
    ['blanks behind them', (lines) => lines.map((line) => `${line}  `).join('\n')],
    ['one line with written line breaks', (lines) => `${lines.join('\\n')}\\n", "next": 1}`],
  ];
  const names = [
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ];
  const widths = [64, 70, 76];
  const keyLines = (width: number) => Array.from({ length: 9 }, (_, index) => base64Line(width, index)).concat('Ab9=');
  const base64Line = (width: number, seed: number) =>
    Array.from(
      { length: width },
      (_, index) => letters[(index * 37 + seed * 11 + ((index * index) % 23)) % letters.length],
    ).join('');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const mark = (line: string, word: string) => `-----${word} ${line}-----`;

  it('hides a private key with any text around its lines, with or without its first line', () =>
    eachRow(around, ([form, write]) => {
      for (const name of names) {
        for (const width of widths) {
          for (const opening of [[], [mark(name, 'BEGIN')]]) {
            if (form.startsWith('one line') && opening.length === 0) continue;
            const lines = keyLines(width);
            const text = `${write([...opening, ...lines, mark(name, 'END')])}\nafter: it\n`;
            const scrubbed = scrubCredentials(text);
            for (const line of lines.slice(0, -1)) expect(scrubbed).not.toContain(line);
            expect(scrubbed.endsWith('\nafter: it\n')).toBe(true);
            for (const step of name === 'PRIVATE KEY' ? [1, 50, 1000] : []) expect(inPieces(text, step)).toBe(scrubbed);
          }
        }
      }
    }));

  const inPieces = (text: string, step: number) => {
    const stream = createScrubber().stream();
    let scrubbed = '';
    for (let at = 0; at < text.length; at += step) scrubbed += stream.push(text.slice(at, at + step));
    return scrubbed + stream.end();
  };

  it('does not hide the end of other PEM blocks', () =>
    eachRow(['CERTIFICATE', 'PUBLIC KEY', 'PGP PUBLIC KEY BLOCK', 'PGP SIGNATURE', 'CERTIFICATE REQUEST'], (name) => {
      for (const [, write] of around) {
        const text = write([...keyLines(64), mark(name, 'END')]);
        expect(scrubCredentials(text)).toBe(text);
      }
    }));

  it('hides the largest usual keys up to their beginning', () => {
    const lines = Array.from({ length: 190 }, (_, index) => base64Line(64, index));
    const text = [...lines, mark('PRIVATE KEY', 'END'), ''].join('\n');
    expect(scrubCredentials(text)).toBe('[REDACTED]\n'.repeat(191));
    expect(inPieces(text, 4_096)).toBe('[REDACTED]\n'.repeat(191));
  });

  it('does not change the last line of a private key without a key before it', () =>
    eachRow(
      [`the last line is\n${lastLine}\n`, `word\n${lastLine}`, `see \`${lastLine}\``, `${body}\n\n${lastLine}`],
      (text) => expect(scrubCredentials(text)).toBe(text),
    ));

  it('finds the same as all rules applied at all places', () => {
    const slow: RuleIndex = {
      search: (text, limit) => ({ next: (from, before) => (from < Math.min(before, limit, text.length) ? from : -1) }),
      itemsAt: (text, at) => credentialRules.filter((rule) => beginsAt(rule, text, at)),
    };
    fc.assert(
      fc.property(suspiciousText, (text) => {
        const [quick, thorough] = [undefined, slow].map((index) =>
          new CredentialScan((kind, secret) => `<${kind} ${secret}>`, undefined, index).end(text),
        );
        expect(quick).toEqual(thorough);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('hides each secret line of a YAML block and keeps the others', () => {
    const lines = [alphanumeric(40), 'the words are here', alphanumeric(40, 5)];
    const text = `a:\n  secret: |\n    ${lines.join('\n    ')}\n\n  next: 1\n`;
    const scrubbed = 'a:\n  secret: |\n    [REDACTED]\n    the words are here\n    [REDACTED]\n\n  next: 1\n';
    expect(scrubCredentials(text)).toBe(scrubbed);
    for (const step of [1, 7, 50]) expect(inPieces(text, step)).toBe(scrubbed);
  });

  table([
    'h:80:x:y:some-words-here',
    'GET h:5432:a',
    'htpasswd -B file me',
    'htpasswd -b',
    'token: |\nnext: value\n',
    'description: |\n  the token is here\n',
    'jdbc:oracle:thin:@h.example:1521/x',
  ])('does not change similar text', (text) => expect(scrubCredentials(text)).toBe(text));

  it('returns a notice for anything but a string', () =>
    eachRow([undefined, null, 5], (value) => {
      expect(scrubCredentials(value as unknown as string)).toMatch(/withheld/);
      expect(createScrubber().text(value as unknown as string)).toMatch(/withheld/);
    }));

  it('is idempotent', () => {
    fc.assert(
      fc.property(suspiciousText, (text) => {
        const scrubbed = scrubCredentials(text);
        expect(scrubCredentials(scrubbed)).toBe(scrubbed);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('keeps the number of lines', () => {
    fc.assert(
      fc.property(suspiciousText, (text) => {
        expect(scrubCredentials(text).split('\n')).toHaveLength(text.split('\n').length);
      }),
    );
  });

  it('does not change the source of this project', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const path of [...files.map((file) => join('src', file)), 'package-lock.json', 'package.json']) {
      const text = readFileSync(join(root, path), 'utf8');
      expect(scrubCredentials(text), path).toBe(text);
    }
  });

  it('hides secrets in repetitive text in bounded time', () =>
    eachRow(alikeUnits, (unit) =>
      expect(scrubCredentials(unit.repeat(Math.ceil(20_000 / unit.length)))).not.toMatch(/withheld/),
    ));
});

describe('createScrubber', () => {
  table([
    ['as it is', (value: string) => value],
    ['in base64', (value: string) => Buffer.from(value).toString('base64')],
    ['in base64 behind a user name', (value: string) => Buffer.from(`me:${value}`).toString('base64')],
    ['in base64 behind one character more', (value: string) => Buffer.from(`you:${value}`).toString('base64')],
    ['in base64 behind two characters more', (value: string) => Buffer.from(`them:${value}`).toString('base64')],
    ['in base64url', (value: string) => Buffer.from(value).toString('base64url')],
    ['URL-encoded', (value: string) => encodeURIComponent(value)],
    ['URL-encoded in small letters', (value: string) => encodeURIComponent(value).toLowerCase()],
    ['as JSON writes it', (value: string) => JSON.stringify(value).slice(1, -1)],
  ])('hides a known value in all encodings', (_name, encode) => {
    const value = 'correct "horse"/ba~ttery??';
    const { text } = createScrubber({ values: [value.toLowerCase()] });
    const scrubbed = text(`x ${encode(value)} y`);
    expect(scrubbed).toMatch(/^x .{0,7}\[REDACTED\].{0,5} y$/);
    expect(scrubbed).not.toContain(encode(value).slice(4, -4));
  });

  const secret = `pa$$ W0rd/&<x>"q'é!*(${alphanumeric(60)}`;
  const json = JSON.stringify(secret).slice(1, -1);
  const codes = (text: string, signs: RegExp) =>
    text.replace(signs, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const strict = encodeURIComponent(secret).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

  table([
    ['in base64 of 76 columns', Buffer.from(secret).toString('base64').replace(/.{76}/g, '$&\n')],
    ['in base64 of 64 columns', Buffer.from(`${secret}\n`).toString('base64').replace(/.{64}/g, '$&\n')],
    ['as forms send it', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['with a code for every sign', strict.replace(/%../g, (code) => code.toUpperCase())],
    ['with a code for every sign, in small letters', strict.replace(/%../g, (code) => code.toLowerCase())],
    ['in JSON that is safe in HTML', codes(json, /[<>&]/g)],
    ['in JSON of letters of ASCII', codes(json, /[^ -~]/g)],
    ['in JSON with escaped slashes', json.replaceAll('/', '\\/')],
    ['in JSON with both', codes(json, /[^ -~]/g).replaceAll('/', '\\/')],
  ])('hides a long known value in all encodings', (_name, written) => {
    const { text } = createScrubber({ values: [secret] });
    const line = `x ${written} y`;
    expect(text(line).replaceAll('[REDACTED]', '')).toMatch(/^x [\s\w+/=]{0,6} y$/);
    expect(text(line).split('\n')).toHaveLength(line.split('\n').length);
  });

  it('hides values that it learns later', () => {
    const scrubber = createScrubber();
    expect(scrubber.text('plain swordfish')).toBe('plain swordfish');
    scrubber.learn(['swordfish']);
    expect(scrubber.text('plain swordfish')).toBe('plain [REDACTED]');
  });

  it('hides values that it learns right after a text', () => {
    const scrubber = createScrubber();
    const text = scrubber.text(`${'word '.repeat(20)}say swordfish`);
    expect(scrubber.text(text)).toBe(text);
    scrubber.learn(['swordfish']);
    expect(scrubber.text(text)).toBe(text.replace('swordfish', '[REDACTED]'));
  });

  it('prefers the longer of two values', () =>
    expect(createScrubber({ values: ['swordfish', 'swordfish-and-chips'] }).text('a swordfish-and-chips b')).toBe(
      'a [REDACTED] b',
    ));

  it('hides each line of a value with several lines', () =>
    expect(createScrubber({ values: ['first line\nsecond line\n'] }).text('a\nfirst line\nsecond line\nb')).toBe(
      'a\n[REDACTED]\n[REDACTED]\nb',
    ));

  it('ignores trivial values', () =>
    eachRow(
      ['', 'x', 'true', '12345', 'abc', 'secret', 'password', 'production', 'aaaaaaaaaaaa', 'REDACTED', '   \n '],
      (value) => {
        const text = `${value} true 12345 abcdef a secret password in production aaaaaaaaaaaaaaa token=[REDACTED] x`;
        expect(createScrubber({ values: [value] }).text(text)).toBe(text);
      },
    ));

  it('is idempotent for any values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 16 })),
        fc.array(fc.oneof(fc.string(), suspiciousText)),
        (values, texts) => {
          const scrubber = createScrubber({ values });
          const once = scrubber.text(texts.flatMap((text, index) => [text, values[index] ?? '']).join(''));
          expect(scrubber.text(once)).toBe(once);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe('a stream', () => {
  const values = ['swordfish and chips', 'line one\nline two', `Zz${alphanumeric(12)}`];

  function streamed(scrubber: ReturnType<typeof createScrubber>, parts: readonly string[]): string {
    const stream = scrubber.stream();
    return parts.map((part) => stream.push(part)).join('') + stream.end();
  }

  it('gives the same as the whole text for a cut at every place', () =>
    eachRow([...redactedCases, ...issuedCases, ...placeCases], ({ before, secret, after }) => {
      const scrubber = createScrubber({ values });
      const text = before + secret + after;
      const cuts = Array.from({ length: text.length + 1 }, (_, cut) => cut);
      for (const cut of sample(cuts, () => text.length > 2_000))
        expect(streamed(scrubber, [text.slice(0, cut), text.slice(cut)])).toBe(`${before}[REDACTED]${after}`);
      expect(streamed(scrubber, [...text])).toBe(`${before}[REDACTED]${after}`);
    }));

  it('hides each of several secrets, in single characters', () =>
    eachRow(severalCases, (marked) =>
      expect(streamed(createScrubber({ values }), [...marked.replace(/[«»]/g, '')])).toBe(
        marked.replace(/«.*?»/g, '[REDACTED]'),
      ),
    ));

  it('does not change, in single characters', () =>
    eachRow([...survivingTexts, ...codeTexts, ...ordinaryTexts], (text) =>
      expect(streamed(createScrubber({ values }), [...text])).toBe(text),
    ));

  /** A value before the place where it is recognised is already sent, so all values are learned first. */
  function expectAlike(whole: string, sizes: Iterable<number>): void {
    const cut = pieces(whole, sizes);
    const afresh = () => createScrubber({ values });
    expect(streamed(afresh(), cut) === streamed(afresh(), [whole])).toBe(true);
    const scrubber = afresh();
    scrubber.text(whole);
    expect(streamed(scrubber, cut) === scrubber.text(whole)).toBe(true);
  }

  it('gives the same as the whole text for pieces of any size', () => {
    const text = fc
      .array(fc.oneof(suspiciousText, fc.constantFrom(...values)), { maxLength: 6 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), (whole, sizes) => {
        expectAlike(whole, sizes);
      }),
      { numRuns: runs(2_000) },
    );
  });

  const long = fc
    .tuple(
      fc.constantFrom('', 'token=', 'password: "', 'eyJ', `sk${'-'}`, 'cookie: sid=', '://u:'),
      fc.constantFrom('a1B2', 'A', 'x y ', 'a.b'),
      fc.nat(6_000),
    )
    .map(([head, unit, count]) => head + unit.repeat(count));

  it('gives the same as the whole text for lines of up to 10 kB', () => {
    const line = fc.oneof(long, suspiciousText).map((text) => text.slice(0, 10_000));
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 5 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9_000 })),
        (lines, sizes) => {
          expectAlike(lines.join('\n'), sizes);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('gives the same as the whole text for longer lines with credentials of up to 10 kB', () => {
    const part = fc.oneof(long, suspiciousText).map((text) => text.slice(0, 10_000));
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 9 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9_000 })),
        (parts, sizes) => {
          expectAlike(parts.join(' '), sizes);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('gives the same as the whole text for a cut at every place of each encoding of a known value', () => {
    const value = alphanumeric(60);
    const scrubber = createScrubber({ values: [value] });
    const base64 = Buffer.from(value).toString('base64');
    for (const written of [value, base64, base64.replace(/.{64}/, '$&\n')]) {
      const whole = `a ${written} b`;
      expect(scrubber.text(whole)).not.toContain(written);
      for (let cut = 0; cut <= whole.length; cut++)
        expect(streamed(scrubber, [whole.slice(0, cut), whole.slice(cut)])).toBe(scrubber.text(whole));
    }
  });

  it('releases whole lines at once and other text word by word', () => {
    const stream = createScrubber({ values }).stream();
    expect(stream.push('server listens on 3000\n')).toBe('server listens on 3000\n');
    expect(stream.push('compiling 12 ')).toBe('compiling 12 ');
    expect(stream.push('password: ')).toBe('');
    expect(stream.push('hunter2\n')).toBe('password: [REDACTED]\n');
  });

  it('holds back a bounded part of an endless line', () => {
    const stream = createScrubber().stream();
    let held = 0;
    let largest = 0;
    for (let count = 0; count < 400; count++) {
      const part = 'token of x'.repeat(100);
      held += part.length - stream.push(part).length;
      largest = Math.max(largest, held);
    }
    expect(largest).toBeLessThan(12_000);
  });

  it('hides values that are learned while it is open', () => {
    const scrubber = createScrubber();
    const stream = scrubber.stream();
    scrubber.learn(['swordfish']);
    expect(stream.push('a sword') + stream.push('fish b\n') + stream.end()).toBe('a [REDACTED] b\n');
  });
});

describe('a reversible scrubber', () => {
  const mark = /\[REDACTED(?::[a-z-]+(?:#\d+)?)?\]/g;

  it('puts a mark exactly where a plain scrubber does', () => {
    fc.assert(
      fc.property(suspiciousText, (text) => {
        fc.pre(!text.includes('[REDA'));
        expect(createScrubber({ reversible: true }).text(text).replace(mark, '[REDACTED]')).toBe(
          scrubCredentials(text),
        );
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('gives marks that restore the text, byte for byte', () => {
    fc.assert(
      fc.property(suspiciousText, (text) => {
        fc.pre(!text.includes('[REDA'));
        const { text: scrub, secretOf } = createScrubber({ reversible: true });
        expect(scrub(text).replace(mark, (found) => secretOf?.(found) ?? found)).toBe(text);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('is idempotent, and scrubs a stream like the whole text', () => {
    fc.assert(
      fc.property(suspiciousText, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), (text, sizes) => {
        const scrubber = createScrubber({ reversible: true });
        const once = scrubber.text(text);
        expect(scrubber.text(once)).toBe(once);
        const stream = scrubber.stream();
        expect(
          pieces(text, sizes)
            .map((part) => stream.push(part))
            .join('') + stream.end(),
        ).toBe(once);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('names the kind of a secret by its own form, also after a name', () => {
    const token = `gh${'p_'}${alphanumeric(36)}`;
    expect(createScrubber({ reversible: true }).text(`GITHUB_TOKEN=${token} ${token}`)).toBe(
      'GITHUB_TOKEN=[REDACTED:github-token#1] [REDACTED:github-token#1]',
    );
  });

  it('hides a replaced secret everywhere from then on', () => {
    const { text, secretOf } = createScrubber({ reversible: true });
    expect(text('password: "swordfish"')).toBe('password: "[REDACTED:assignment#1]"');
    expect(text('a swordfish')).toBe('a swordfish');
    expect(secretOf?.('[REDACTED:assignment#1]')).toBe('swordfish');
    expect(text('a swordfish')).toBe('a [REDACTED:assignment#1]');
  });

  it('keeps a bounded number of secrets', () => {
    const text = `token=${alphanumeric(60).repeat(2_000)}`;
    expect(createScrubber({ reversible: true }).text(text)).toBe('token=[REDACTED:assignment]');
  });
});
