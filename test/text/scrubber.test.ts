import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScrubber, scrubCredentials } from '../../src/text/scrubber.js';
import { alphanumeric, redactedCases, survivingTexts } from './scrubber-cases.js';
import { pieces, suspiciousText } from './scrubber-texts.js';

interface Example {
  readonly name: string;
  readonly kind: 'must_redact' | 'must_survive';
  readonly text: readonly string[];
  readonly secrets?: readonly (readonly string[])[];
  readonly keep?: readonly string[];
}

const examples: readonly Example[] = JSON.parse(readFileSync(join(import.meta.dirname, 'scrubber-examples.json'), 'utf8'));
const root = join(import.meta.dirname, '../..');

describe('scrubCredentials', () => {
  it.each(redactedCases)('withholds the secret and nothing else: $name', ({ before, secret, after }) => {
    expect(scrubCredentials(before + secret + after)).toBe(`${before}[REDACTED]${after}`);
  });

  it.each(survivingTexts.map((text) => [text]))('leaves as it is: %s', (text) => {
    expect(scrubCredentials(text)).toBe(text);
  });

  it.each(examples)('handles the example $name', ({ kind, text, secrets = [], keep = [] }) => {
    const whole = text.join('');
    const scrubbed = scrubCredentials(whole);
    if (kind === 'must_survive') expect(scrubbed).toBe(whole);
    for (const secret of secrets) expect(scrubbed).not.toContain(secret.join(''));
    for (const kept of keep) expect(scrubbed).toContain(kept);
  });

  it('withholds each line of a private key and keeps the line breaks and what stands around', () => {
    const key = ['-----BEGIN RSA PRIV', 'ATE KEY-----\nMIIEa1\r\nb2+/==\n-----END RSA PRIV', 'ATE KEY-----'].join('');
    expect(scrubCredentials(`before\n${key}\nafter`)).toBe('before\n[REDACTED]\n[REDACTED]\r\n[REDACTED]\n[REDACTED]\nafter');
  });

  it('keeps line numbers and indentation in front of the lines of a private key', () => {
    const key = ['     1\t  -----BEGIN PRIV', 'ATE KEY-----\n     2\t  MIIEa1\n     3\t  -----END PRIV', 'ATE KEY-----\n     4\tx: 1'].join(
      '',
    );
    expect(scrubCredentials(key)).toBe('     1\t  [REDACTED]\n     2\t  [REDACTED]\n     3\t  [REDACTED]\n     4\tx: 1');
  });

  it('withholds a private key that is cut off, but not the text behind it', () => {
    const key = ['-----BEGIN OPENSSH PRIV', 'ATE KEY-----\nb3BlbnNzaC1r\nZXktdjEAAAA=\n[2 lines omitted]\nDone: yes'].join('');
    expect(scrubCredentials(key)).toBe('[REDACTED]\n[REDACTED]\n[REDACTED]\n[2 lines omitted]\nDone: yes');
  });

  it('withholds a private key that stands on one line of JSON', () => {
    const key = [
      '{"private_key": "-----BEGIN PRIV',
      'ATE KEY-----\\nMIIEa1\\nb2+/==\\n-----END PRIV',
      'ATE KEY-----\\n", "client_id": "1"}',
    ].join('');
    expect(scrubCredentials(key)).toBe('{"private_key": "[REDACTED]\\n", "client_id": "1"}');
  });

  it('gives a notice in place of what is no text', () => {
    expect(scrubCredentials(undefined as unknown as string)).toMatch(/withheld/);
  });

  it('changes nothing of what it has scrubbed', () => {
    fc.assert(
      fc.property(suspiciousText, (text) => {
        const scrubbed = scrubCredentials(text);
        expect(scrubCredentials(scrubbed)).toBe(scrubbed);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the number of lines', () => {
    fc.assert(
      fc.property(suspiciousText, (text) => {
        expect(scrubCredentials(text).split('\n')).toHaveLength(text.split('\n').length);
      }),
    );
  });

  it('leaves the source of this project as it is', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(0);
    for (const path of [...files.map((file) => join('src', file)), 'package-lock.json', 'package.json']) {
      const text = readFileSync(join(root, path), 'utf8');
      expect(scrubCredentials(text), path).toBe(text);
    }
  });

  const adversarial: readonly (readonly [string, string])[] = [
    ['names without end', 'token'],
    ['names and signs', 'token='],
    ['names in capitals and signs', 'A_TOKEN='],
    ['names, signs and quotes', 'password="'],
    ['all quotes', 'token="token=\'token=`'],
    ['escaped quotes', '\\"token\\":\\"'],
    ['blanks', 'password        '],
    ['bearers', 'bearer bearer '],
    ['basic', 'Basic aaaaaaaaaaaa:'],
    ['heads of tokens', 'sk-ghp_eyJAKIAxoxb-SG.'],
    ['heads of web tokens', 'eyJ-eyJ-'],
    ['one web token', 'eyJa'],
    ['dots', 'eyJaaaaaaaaaa.a.'],
    ['addresses', '://a:b'],
    ['addresses with at', '://a:b@'],
    ['key headers', ['-----BEGIN PRIV', 'ATE KEY-----\n'].join('')],
    ['key headers on one line', ['-----BEGIN PRIV', 'ATE KEY-----MIIEabcd'].join('')],
    ['cookies', 'Cookie: a=b; cookie: c=d;'],
    ['cookie pairs', 'cookie: sid=a1b2c3d4e5f6g7;'],
    ['digits', '0123456789'],
    ['telegram', '12345678:AA'],
    ['percent', '%3D%3Dtoken%3D'],
    ['long value', 'a1B2'],
    ['colour', '\u001b[0;0;0m'],
  ];

  it.each(adversarial)('takes time in proportion to its input: %s', (_name, unit) => {
    const timeOf = (length: number) => {
      const text = unit.repeat(Math.ceil(length / unit.length));
      const times = Array.from({ length: 3 }, () => {
        const start = performance.now();
        scrubCredentials(text);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    timeOf(20_000);
    const ratio = timeOf(480_000) / Math.max(timeOf(60_000), 0.1);
    expect(ratio).toBeLessThan(24);
  });
});

describe('createScrubber', () => {
  it.each([
    ['as it is', (value: string) => value],
    ['in base64', (value: string) => Buffer.from(value).toString('base64')],
    ['in base64 behind a user name', (value: string) => Buffer.from(`me:${value}`).toString('base64')],
    ['in base64url', (value: string) => Buffer.from(value).toString('base64url')],
    ['URL-encoded', (value: string) => encodeURIComponent(value)],
    ['URL-encoded in small letters', (value: string) => encodeURIComponent(value).toLowerCase()],
    ['as JSON writes it', (value: string) => JSON.stringify(value).slice(1, -1)],
  ])('withholds a known value %s', (_name, encode) => {
    const value = 'correct "horse"/ba~ttery??';
    const { text } = createScrubber({ values: [value.toLowerCase()] });
    const scrubbed = text(`x ${encode(value)} y`);
    expect(scrubbed).toMatch(/^x .{0,7}\[REDACTED\].{0,5} y$/);
    expect(scrubbed).not.toContain(encode(value).slice(4, -4));
  });

  it('withholds values that it learns later', () => {
    const scrubber = createScrubber();
    expect(scrubber.text('plain swordfish')).toBe('plain swordfish');
    scrubber.learn(['swordfish']);
    expect(scrubber.text('plain swordfish')).toBe('plain [REDACTED]');
  });

  it('prefers the longer of two values', () => {
    expect(createScrubber({ values: ['swordfish', 'swordfish-and-chips'] }).text('a swordfish-and-chips b')).toBe('a [REDACTED] b');
  });

  it('withholds each line of a value of several lines', () => {
    expect(createScrubber({ values: ['first line\nsecond line\n'] }).text('a\nfirst line\nsecond line\nb')).toBe(
      'a\n[REDACTED]\n[REDACTED]\nb',
    );
  });

  it.each(['', 'x', 'true', '12345', 'abc', 'secret', 'password', 'production', 'aaaaaaaaaaaa', 'REDACTED', '   \n '])(
    'ignores the trivial value %j',
    (value) => {
      const text = `${value} true 12345 abcdef a secret password in production aaaaaaaaaaaaaaa token=[REDACTED] x`;
      expect(createScrubber({ values: [value] }).text(text)).toBe(text);
    },
  );

  it('changes nothing of what it has scrubbed, whatever the values', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 16 })), fc.array(fc.oneof(fc.string(), suspiciousText)), (values, texts) => {
        const scrubber = createScrubber({ values });
        const once = scrubber.text(texts.flatMap((text, index) => [text, values[index] ?? '']).join(''));
        expect(scrubber.text(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a stream', () => {
  const values = ['swordfish and chips', 'line one\nline two', `Zz${alphanumeric(12)}`];

  function streamed(scrubber: ReturnType<typeof createScrubber>, parts: readonly string[]): string {
    const stream = scrubber.stream();
    return parts.map((part) => stream.push(part)).join('') + stream.end();
  }

  it.each(redactedCases)('gives the same as the whole for a cut at every place: $name', ({ before, secret, after }) => {
    const scrubber = createScrubber({ values });
    const text = before + secret + after;
    for (let cut = 0; cut <= text.length; cut++)
      expect(streamed(scrubber, [text.slice(0, cut), text.slice(cut)])).toBe(`${before}[REDACTED]${after}`);
    expect(streamed(scrubber, [...text])).toBe(`${before}[REDACTED]${after}`);
  });

  it.each(survivingTexts.map((text) => [text]))('leaves as it is, character by character: %s', (text) => {
    expect(streamed(createScrubber({ values }), [...text])).toBe(text);
  });

  it('gives the same as the whole for pieces of any size', () => {
    const scrubber = createScrubber({ values });
    const text = fc.array(fc.oneof(suspiciousText, fc.constantFrom(...values)), { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), (whole, sizes) => {
        expect(streamed(scrubber, pieces(whole, sizes))).toBe(scrubber.text(whole));
      }),
      { numRuns: 2000 },
    );
  });

  it('gives the same as the whole for lines and values longer than what it holds back', () => {
    const scrubber = createScrubber({ values });
    const long = fc
      .tuple(
        fc.constantFrom('', 'token=', 'password: "', 'eyJ', `sk${'-'}`, 'cookie: sid=', '://u:'),
        fc.constantFrom('a1B2', 'A', 'x y ', 'a.b'),
        fc.nat(6000),
      )
      .map(([head, unit, count]) => head + unit.repeat(count));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(long, suspiciousText), { maxLength: 5 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 9000 })),
        (parts, sizes) => {
          const whole = parts.join('');
          expect(streamed(scrubber, pieces(whole, sizes)) === scrubber.text(whole)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('gives out whole lines at once and other text word by word', () => {
    const stream = createScrubber({ values }).stream();
    expect(stream.push('server listens on 3000\n')).toBe('server listens on 3000\n');
    expect(stream.push('compiling 12 ')).toBe('compiling 12 ');
    expect(stream.push('password: ')).toBe('');
    expect(stream.push('hunter2\n')).toBe('password: [REDACTED]\n');
  });

  it('holds back no more than a bounded part of an endless line', () => {
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

  it('withholds values learned while it is open', () => {
    const scrubber = createScrubber();
    const stream = scrubber.stream();
    scrubber.learn(['swordfish']);
    expect(stream.push('a sword') + stream.push('fish b\n') + stream.end()).toBe('a [REDACTED] b\n');
  });
});
