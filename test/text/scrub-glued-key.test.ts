import { expect, test } from 'vitest';
import { createScrubber } from '../../src/text/secrets/scrubber.js';

// Made-up, and joined here so that no file looks as if it held a key.
const lines = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(3);
const key = ['-----BEGIN PRIVATE', `KEY-----\n${lines}-----END PRIVATE`, 'KEY-----'].join(' ');

test.each(['password=hunter2-hunter2-x9', 'token: ', `${['ghp', 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7d'].join('_')}`])(
  'a key that begins in the middle of another secret, %s, is hidden line by line too',
  (before) => {
    const text = `${before}${key}\nend\n`;
    const scrubber = createScrubber();
    const stream = scrubber.stream();
    const pieces = text.split(/(?<=\n)/).map((line) => stream.push(line));
    const whole = pieces.join('') + stream.end();
    expect(whole).toBe(scrubber.text(text));
    expect(whole).not.toMatch(/hunter2|MIIE|hkiG9|Ab3dE/);
    expect(whole).toMatch(/\nend\n$/);
  },
);
