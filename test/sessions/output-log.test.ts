import { expect, test } from 'vitest';
import { outputLog } from '../../src/sessions/background-task.js';

test('the oldest text is dropped, and readers who missed it are told', () => {
  const log = outputLog(10);
  const early = log.open();
  log.write('01234');
  expect(early.read(false)).toBe('01234');
  log.write('56789abcde');
  expect(early.read(false)).toBe('56789abcde');
  expect(log.open().read(false)).toBe('[5 characters omitted]\n56789abcde');
  expect(early.read(false)).toBe('');
});
