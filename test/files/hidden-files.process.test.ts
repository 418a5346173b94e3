import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from 'toolwright';
import { hostFiles, ReadLedger } from 'toolwright/files';
import { memoryFiles } from 'toolwright/testing';
import { editTool } from 'toolwright/tools';
import { describe, expect, test } from 'vitest';
import { hideFiles } from '../../src/files/mounts/hidden-files.js';
import type { FileSystem, GrepResult } from '../../src/index.js';
import { callScope, toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { grepQuery } from '../support/search.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const isHidden = (path: string) => path.endsWith('.env');
const content = 'KEY=word\n';

const places: readonly (readonly [string, () => FileSystem])[] = [
  [
    'any file system',
    () => hideFiles(memoryFiles({ root: '/w', files: { '.env': content, 'a.txt': 'a word\n' } }), isHidden),
  ],
  [
    'the disk',
    () => {
      const root = temporaryFolder();
      writeFileSync(join(root, '.env'), content);
      writeFileSync(join(root, 'a.txt'), 'a word\n');
      return hostFiles({ root, limits: defaultLimits, isHidden });
    },
  ],
];

describe.each(places)('in %s', (_name, make) => {
  test('a hidden file is not opened', async () => {
    const files = make();
    await expect(files.open(join(files.root, '.env'), callScope())).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await (await files.open(join(files.root, 'a.txt'), callScope())).close();
  });

  test('a hidden file is not searched in any mode', () =>
    eachRow(['content', 'count', 'files_with_matches'] as const, async (mode) => {
      const files = make();
      const { lines } = await files.grep(grepQuery({ pattern: 'word', mode }), callScope());
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('a.txt');
    }));

  test('a hidden file is not searched even if the search names it', async () => {
    const files = make();
    const { lines } = await files.grep(grepQuery({ pattern: 'word', path: join(files.root, '.env') }), callScope());
    expect(lines).toEqual([]);
  });

  test('an edit that would show its lines is refused', async () => {
    const files = make();
    const edit = editTool({ files, ledger: new ReadLedger(), limits: defaultLimits.write });
    const input = { file_path: join(files.root, '.env'), old_string: 'KEY=wrong', new_string: 'x' };
    await expect(edit.execute(input, toolContext())).rejects.toMatchObject({ code: 'permission_denied' });
  });

  test('its existence may be visible', async () => {
    const files = make();
    expect(await files.stat(join(files.root, '.env'), callScope())).toMatchObject({ kind: 'file' });
  });
});

test('a hidden file does not change the other results of a search', async () => {
  const visible = { 'a.txt': 'x\nword\nx\n', 'b.txt': 'word\n', 'c/many.txt': 'word\n'.repeat(150_000) };
  const hidden = hideFiles(memoryFiles({ root: '/w', files: { ...visible, '.env': content } }), isHidden);
  const plain = memoryFiles({ root: '/w', files: visible });
  const differences = [
    {},
    { before: 1 },
    { after: 1, limit: 3 },
    { offset: 1, limit: 2 },
    { mode: 'count' },
    { mode: 'count', offset: 1, limit: 1 },
    { mode: 'files_with_matches' },
    { mode: 'files_with_matches', offset: 1, limit: 1 },
  ] as const;
  for (const difference of differences) {
    const whole = grepQuery({ pattern: 'word', ...difference });
    const [found, expected] = [await hidden.grep(whole, callScope()), await plain.grep(whole, callScope())];
    expect(found.lines, JSON.stringify(difference)).toEqual(expected.lines);
    const facts = ({ truncated, total, files }: GrepResult) => [truncated, total, files?.map(({ path }) => path)];
    expect(facts(found)).toEqual(facts(expected));
  }
});
