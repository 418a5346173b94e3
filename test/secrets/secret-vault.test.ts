import { inspect } from 'node:util';
import { createScrubber } from 'toolwright';
import { describe, expect, it } from 'vitest';
import { SecretVault } from '../../src/secrets/scrubber.js';
import { eachRow } from '../support/each-row.js';
import { alphanumeric } from './scrubber-cases.js';

const key = ['sk', '-', alphanumeric(48)].join('');

describe('SecretVault', () => {
  it('gives the same mark to the same secret of any kind, and never reuses a number', () => {
    const vault = new SecretVault();
    expect(vault.markOf('openai-key', 'one')).toBe('[REDACTED:openai-key#1]');
    expect(vault.markOf('jwt', 'two')).toBe('[REDACTED:jwt#2]');
    expect(vault.markOf('assignment', 'one')).toBe('[REDACTED:openai-key#1]');
    expect(vault.secretOf('[REDACTED:openai-key#1]')).toBe('one');
  });

  it('does not know other marks', () =>
    eachRow(
      ['[REDACTED:openai-key#2]', '[REDACTED:jwt#1]', '[REDACTED#1]', '[REDACTED]', 'one', '__proto__', ''],
      (mark) => {
        const vault = new SecretVault();
        vault.markOf('openai-key', 'one');
        expect(vault.secretOf(mark)).toBeUndefined();
      },
    ));

  it('gives a mark without a number to a secret that is too long', () =>
    expect(new SecretVault().markOf('header', undefined)).toBe('[REDACTED:header]'));

  it('keeps a bounded number of secrets, and drops the least recently used', () => {
    const vault = new SecretVault();
    for (let index = 0; index < 4_096; index++) vault.markOf('jwt', `secret ${index}`);
    vault.secretOf('[REDACTED:jwt#1]');
    vault.markOf('jwt', 'one more');
    expect(vault.secretOf('[REDACTED:jwt#1]')).toBe('secret 0');
    expect(vault.secretOf('[REDACTED:jwt#2]')).toBeUndefined();
    expect(vault.markOf('jwt', 'secret 1')).toBe('[REDACTED:jwt#4098]');
  });

  it('reveals nothing when printed, nor does the scrubber', () =>
    eachRow<[string, (value: object) => unknown]>(
      [
        ['JSON', (value) => JSON.stringify(value)],
        ['inspection', (value) => inspect(value, { depth: 10, showHidden: true, getters: true })],
        ['its properties', (value) => Reflect.ownKeys(value).map((name) => [name, String(Reflect.get(value, name))])],
        ['a copy', (value) => JSON.stringify({ ...value })],
        ['text', (value) => String(value)],
      ],
      ([, show]) => {
        const vault = new SecretVault();
        vault.markOf('openai-key', key);
        const scrubber = createScrubber({ reversible: true });
        expect(scrubber.text(key)).toBe('[REDACTED:openai-key#1]');
        for (const holder of [vault, scrubber, scrubber.stream()]) expect(String(show(holder))).not.toContain(key);
      },
    ));
});
