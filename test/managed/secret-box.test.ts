import fc from 'fast-check';
import { aesGcmBox } from 'toolwright/managed';
import { expect, test } from 'vitest';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const box = aesGcmBox({ keys: { a: key(1), b: key(2) }, current: 'b' });

test('a sealed value opens only at its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, context, other) => {
      const sealed = box.seal(text, context);
      expect(box.open(sealed, context)).toBe(text);
      if (other !== context) expect(() => box.open(sealed, other)).toThrow('cannot be decrypted');
    }),
  );
});

test('a sealed text that was changed, cut or extended cannot be decrypted', () => {
  const sealed = Buffer.from(box.seal('hunter2', 'tools/1'));
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const flipped = Buffer.from(sealed);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => box.open(flipped.toString('latin1'), 'tools/1')).toThrow('cannot be decrypted');
  }
  for (const changed of ['', 'b', 'b.', sealed.subarray(0, -4).toString(), `${sealed}AAAA`, `${sealed}.`])
    expect(() => box.open(changed, 'tools/1')).toThrow('cannot be decrypted');
});

test('a text that is no base64url of its bytes was changed, whatever the context', () => {
  const sealed = box.seal('hunter2', 'tools/1');
  expect(() => box.open(`${sealed}.`, 'tools/1')).toThrow(/cannot be decrypted: it was changed\. Store it again\.$/);
});

test('two seals of one text differ, and contain nothing of it', () => {
  const texts = Array.from({ length: 50 }, () => box.seal('hunter2', 'tools/1'));
  expect(new Set(texts).size).toBe(50);
  expect(texts.join()).not.toContain('hunter2');
});

test('keys rotate: old ones decrypt, the current one encrypts, and a missing one is named', () => {
  const old = aesGcmBox({ keys: { a: key(1) }, current: 'a' }).seal('hunter2', 'tools/1');
  const anew = box.seal(box.open(old, 'tools/1'), 'tools/1');
  expect([old.slice(0, 2), anew.slice(0, 2)]).toEqual(['a.', 'b.']);
  expect(() => aesGcmBox({ keys: { b: key(2) }, current: 'b' }).open(old, 'tools/1')).toThrow('its key "a" is missing');
});

test('the keys are validated, and never shown', () => {
  const mistakes: readonly unknown[] = [
    { keys: { a: 'x'.repeat(32) }, current: 'a' },
    { keys: { a: new Uint8Array(31).fill(77) }, current: 'a' },
    { keys: { 'a.b': key(1) }, current: 'a.b' },
    { keys: { a: key(77) }, current: 'c' },
    { keys: { a: key(1) } },
    { keys: { a: key(1) }, curent: 'a' },
  ];
  for (const options of mistakes) {
    expect(() => aesGcmBox(options as never)).toThrow(TypeError);
    expect(() => aesGcmBox(options as never)).not.toThrow(/77|xxx/);
  }
});
