import { expect } from 'vitest';
import { globPattern } from '../../src/files/search/glob/expand-pattern.js';
import { table } from '../support/each-row.js';

table([
  ['src\\b\\*.ts', 'src/b/*.ts', 'src\\b\\*.ts'],
  ['src\\**\\*.ts', 'src/**/*.ts', 'src\\**\\*.ts'],
])('a backslash separates folders on Windows, and can also be an escape elsewhere', (text, path, escaped) => {
  expect(globPattern(text, 'win32').patterns).toEqual([path]);
  expect(globPattern(text, 'linux').patterns).toEqual([escaped, path]);
});
