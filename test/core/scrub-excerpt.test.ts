import { createScrubber, scrubCredentials } from 'toolwright';
import { describe, expect, it } from 'vitest';
import { scrubExcerpt } from '../../src/core/text/scrub-excerpt.js';
import { alphanumeric } from '../secrets/scrubber-cases.js';
import { table } from '../support/each-row.js';

const token = ['ghp', alphanumeric(36)].join('_');
const line = `a=1 TOKEN=${token} and DB_PASSWORD="c0rrect-h0rse!" after it`;
/** The secret, in pieces that are long enough to be recognised. */
const pieces = [token.slice(4), 'c0rrect-h0rse!'].flatMap((secret) =>
  Array.from({ length: secret.length - 4 }, (_, at) => secret.slice(at, at + 5)),
);

describe('an excerpt of a line', () => {
  it('shows no piece of a credential, for any start and end', () => {
    for (let from = 0; from <= line.length; from++) {
      for (let until = from; until <= line.length; until++) {
        const part = { before: line.slice(0, from), text: line.slice(from, until), after: line.slice(until) };
        const shown = scrubCredentials(scrubExcerpt(scrubCredentials, part));
        const leaked = pieces.filter((piece) => shown.includes(piece));
        expect(leaked, JSON.stringify([part.text, shown])).toEqual([]);
      }
    }
  });

  table([
    ['nothing to hide', 'plain text, ', 'more of it', ', and the rest'],
    ['a whole credential', 'before ', `TOKEN=${token} x`, ' after'],
    ['credentials on both sides only', `TOKEN=${token} `, 'plain', ` TOKEN=${token}`],
    ['its end within a name', 'a ', 'the DB_PASS', `WORD="${token}"`],
    ['its start behind a credential', `TOKEN=${token}`, ' plain ', ''],
    ['its end before a credential', '', 'TOKEN=', token],
    ['nothing beside it', '', `TOKEN=${token}`, ''],
    ['nothing at all', '', '', ''],
  ])('stays unchanged if the text around it completes no secret', (_name, before, text, after) => {
    expect(scrubExcerpt(scrubCredentials, { before, text, after })).toBe(text);
    const { text: scrub } = createScrubber({ reversible: true });
    expect(scrubExcerpt(scrub, { before, text, after })).toBe(text);
  });

  it('keeps the text beside the credential', () => {
    const at = line.indexOf(token) + 9;
    expect(
      scrubExcerpt(scrubCredentials, {
        before: line.slice(0, at),
        text: line.slice(at, at + 40),
        after: line.slice(at + 40),
      }),
    ).toBe('[REDACTED] and DB_P');
    const cut = line.indexOf('h0rse');
    const head = scrubExcerpt(scrubCredentials, { before: '', text: line.slice(0, cut), after: line.slice(cut) });
    expect(scrubCredentials(head)).toBe('a=1 TOKEN=[REDACTED] and DB_PASSWORD="[REDACTED]');
  });

  it('has no half of a mark', () => {
    const { text: scrub } = createScrubber({ reversible: true });
    for (let from = 0; from <= line.length; from++) {
      const part = { before: line.slice(0, from), text: line.slice(from), after: '' };
      expect(scrub(scrubExcerpt(scrub, part))).toMatch(/^(?:[^[\]]|\[REDACTED(?::[\w-]+#\d+)?\])*$/);
      const head = { before: '', text: line.slice(0, from), after: line.slice(from) };
      expect(scrub(scrubExcerpt(scrub, head))).toMatch(/^(?:[^[\]]|\[REDACTED(?::[\w-]+#\d+)?\])*$/);
    }
  });
});
