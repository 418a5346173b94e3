import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CommandPaths, createPermissions, createToolkit, type PermissionsOptions } from '../../../src/index.js';
import { commandPaths } from '../../../src/shell/run/paths-on-disk.js';
import { samples, table } from '../../support/each-row.js';
import { runs } from '../../support/runs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The decision about a command in a workspace with links. The command never runs. */
async function decided(command: string, rules: Partial<PermissionsOptions>): Promise<string> {
  const [root, outside] = [temporaryFolder(), temporaryFolder()];
  for (const folder of ['a/b', 'a/c', '.aws/cli', '.husky/_', 'docs'])
    mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(outside, 'sub'));
  for (const file of ['a/private.txt', 'a/open.txt', 'a/c/key.txt', '.aws/config', '.husky/any', 'x.txt'])
    writeFileSync(join(root, file), '');
  writeFileSync(join(outside, 'x.txt'), '');
  const links = { link: 'a/b', chain: 'link', keys: '.aws/cli', hooks: '.husky/_', out: join(outside, 'sub'), up: 'a' };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  const permissions = createPermissions({ autoAllow: 'low-risk', onAsk: () => 'deny', ...rules });
  await using toolkit = createToolkit({ root, permissions });
  const input = { command: command.replaceAll('ROOT', root) };
  return (await toolkit.decide({ id: '1', name: 'Bash', input })).behavior;
}

describe('".." after a link is the parent of its target', () => {
  table(
    samples`cat link/../open.txt ¦ cat chain/../open.txt ¦ cat ROOT/link/../open.txt ¦ cat link/.././open.txt
    cat docs/../a/open.txt ¦ cat link/../../x.txt`,
  )('a file inside is read without a question', async (command) => {
    expect(await decided(command, { deny: ['Read(a/private.txt)'] })).toBe('allow');
  });

  table(
    samples`
    cat link/../private.txt ¦ cat chain/../private.txt ¦ cat ROOT/link/../private.txt ¦ cat a/../link/../private.txt
    cat link/../c/../private.txt ¦ cat < link/../private.txt ¦ cd link && cat ../private.txt ¦ cat li*/../private.txt
    cat link/../priv* ¦ grep -r x link/../ ¦ grep -rn x up/ ¦ cat {link,docs}/../private.txt
    git -C link/.. diff --no-index x.txt private.txt ¦ cd -P link/.. && cat private.txt ¦ cd link; cd ..; cat private.txt
    cd -P link; cd ..; cat private.txt ¦ cp -r link/.. docs/copy`,
  )('a denied file is not read', async (command) => {
    const rules = { deny: ['Read(a/private.txt)'] };
    expect(await decided(command, rules)).not.toBe('allow');
    expect(await decided(command, { ...rules, mode: 'bypassPermissions' })).not.toBe('allow');
  });

  table(
    samples`
    cp x.txt link/../private.txt ¦ echo > chain/../private.txt ¦ cp private.txt link/.. ¦ rm link/../private.txt
    cd link && cp ../open.txt ../private.txt ¦ tee li*/../private.txt < x.txt`,
  )('a denied file is not changed', async (command) => {
    const mode = 'bypassPermissions';
    expect(await decided(command, { mode, deny: ['Edit(a/private.txt)'] })).not.toBe('allow');
  });

  table(samples`cat keys/../config ¦ cat ROOT/keys/../config ¦ cat out/../x.txt ¦ cat o*/../x.txt ¦ cat ke*/../config`)(
    'a file that is outside or holds secrets is read only after a question',
    async (command) => {
      expect(await decided(command, {})).not.toBe('allow');
    },
  );

  table(
    samples`
    cp x.txt hooks/../any ¦ echo x > hooks/../any ¦ cp x.txt hooks/.. ¦ cd hooks && cp x.txt ../any
    cp -t hooks/.. x.txt ¦ cp x.txt ho*/../any`,
  )('no allow rule covers the change of an auto-executed file', async (command) => {
    const allow = ['Bash(cp:*)', 'Bash(echo:*)', 'Bash(cd:*)', 'Edit'];
    expect(await decided(command, { allow })).not.toBe('allow');
  });
});

/** A tree of folders, files and links to them; the paths go through them, with `..` anywhere. */
const name = fc.constantFrom('a', 'b', 'c', 'd', '..', '.', '');
const path = fc.array(name, { minLength: 1, maxLength: 8 }).map((names) => names.join('/'));
const entries = fc.array(fc.record({ at: path, leadsTo: fc.option(path), isAbsolute: fc.boolean() }), {
  minLength: 3,
  maxLength: 10,
});

function build(root: string, entries: readonly { at: string; leadsTo: string | null; isAbsolute: boolean }[]): void {
  for (const { at, leadsTo, isAbsolute } of entries) {
    const plain = at.split('/').filter((each) => /^\w$/.test(each));
    const [last = 'a', ...above] = plain.reverse();
    try {
      mkdirSync(join(root, ...above), { recursive: true });
      const here = join(root, ...above, last);
      if (leadsTo === null) mkdirSync(here);
      else symlinkSync(isAbsolute ? `${root}/${leadsTo}` : leadsTo || '.', here);
    } catch {
      // An entry of this name exists, or a link of this name leads nowhere.
    }
  }
}

test('an existing path has the real path that the operating system gives', () => {
  let found = 0;
  fc.assert(
    fc.property(entries, fc.array(path, { minLength: 20, maxLength: 20 }), (tree, paths) => {
      const root = temporaryFolder();
      build(root, tree);
      const { real } = commandPaths({ root, disk: { roots: [root], contains: () => true } }) as Required<CommandPaths>;
      for (const each of paths) {
        const given = `${root}/${each}`;
        let expected: string;
        try {
          expected = realpathSync.native(given);
        } catch {
          continue;
        }
        found++;
        expect(real(given)).toBe(expected);
      }
    }),
    { numRuns: runs(300) },
  );
  expect(found).toBeGreaterThan(runs(300));
  const { real } = commandPaths({
    root: homedir(),
    disk: { roots: ['/'], contains: () => true },
  }) as Required<CommandPaths>;
  expect(real('/none/../missing/./x/')).toBe('/missing/x');
});
