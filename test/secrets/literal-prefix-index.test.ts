import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeadIndex } from '../../src/core/text/literal-prefix-index.js';

const items = [
  { heads: ['abcd', 'bcde'] },
  { heads: ['ab'], next: 'xy' },
  { heads: ['key'], anyCase: true, next: '=: ' },
  { heads: ['://'] },
  { heads: ['longer head'] },
  { heads: ['value:', 'value"'] },
] as const;

function startsAt(text: string, at: number): boolean {
  const rest = text.slice(at);
  return /^(?:abcd|bcde|ab[xy][xy]|[kK][eE][yY][=: ]|:\/\/[A-Za-z0-9_-]|long|valu)/.test(rest);
}

describe('HeadIndex', () => {
  const index = new HeadIndex(items);

  it('finds exactly the places where a head may begin, from left to right', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'abcdexkEy=:/ h"', 'long', 'er ', 'value', 'abcd', 'key='),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.nat(70), fc.nat(20), (whole, limit, from) => {
        const search = index.search(whole, limit);
        const found: number[] = [];
        for (let at = search.next(from, limit); at >= 0; at = search.next(at + 1, limit)) found.push(at);
        const places = Array.from({ length: whole.length }, (_, at) => at).filter(
          (at) => at >= from && at < limit && startsAt(whole, at),
        );
        expect(found).toEqual(places);
      }),
    );
  });

  it('also finds the heads of its base, and can step back in a text of several windows', () => {
    const own = new HeadIndex([{ heads: ['own-'] }], index);
    const text = 'abcd own- key= '.repeat(3_000);
    const all = [...text.matchAll(/abcd|own-|key=/g)].map((match) => match.index);
    const search = own.search(text, text.length);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (places) => {
        for (const from of places) expect(search.next(from, text.length)).toBe(all.find((at) => at >= from) ?? -1);
      }),
    );
    expect(own.itemsAt('own-', 0)).toEqual([{ heads: ['own-'] }]);
    expect(own.itemsAt('abcd', 0)).toEqual([]);
  });

  it('returns the items that may begin at a place, in the order of construction', () => {
    expect(index.itemsAt('abcd', 0)).toEqual([items[0]]);
    expect(index.itemsAt('KeY:', 0)).toEqual([items[2]]);
    expect(index.itemsAt('nothing', 0)).toEqual([]);
  });
});
