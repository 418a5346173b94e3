import { expect, test } from 'vitest';
import { addressesIn } from '../../src/core/text/escape-for-people.js';
import { eachRow } from '../support/each-row.js';

test('addresses are found', () =>
  eachRow<[string, readonly string[]]>(
    [
      ['no address: http:/a //b data:text/html,x', []],
      ['See https://a.example/x?y and (HTTP://b.example)', ['https://a.example/x?y', 'HTTP://b.example)']],
      ['ws://a ftp://b', ['ws://a', 'ftp://b']],
      ['see `https://a\n.b` there', ['https://a\n.b', 'https://a']],
      ['see https://a\t.b\tc', ['https://a\t.b']],
      ['https://a\n.b\nhttps://c', ['https://a\n.b', 'https://a', 'https://c']],
    ],
    ([text, wanted]) => expect(addressesIn(text)).toEqual(wanted),
  ));
