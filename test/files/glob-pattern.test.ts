import { expect } from 'vitest';
import { globPattern } from '../../src/files/search/glob/pattern.js';
import { table } from '../support/each-row.js';

table([
  ['src\\b\\*.ts', 'src/b/*.ts', 'src\\b\\*.ts'],
  ['src\\**\\*.ts', 'src/**/*.ts', 'src\\**\\*.ts'],
])('on Windows a backslash parts folders, elsewhere it may be an escape too', (text, path, escaped) => {
  expect(globPattern(text, 'win32').patterns).toEqual([path]);
  expect(globPattern(text, 'linux').patterns).toEqual([escaped, path]);
});
