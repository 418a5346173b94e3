import { describe, expect, test } from 'vitest';
import { createPermissions } from '../../src/index.js';
import { caseWorld } from '../support/case-world.js';
import { pathCases, tryPath } from '../support/path-cases.js';

const searches = new Set(['Glob', 'Grep']);

test.each(pathCases.filter(({ tool, expect }) => !searches.has(tool) && expect !== 'ask'))('$name', tryPath);

describe('auto-executed files are changed only with an approval', () => {
  const asked = pathCases.filter((one) => one.expect === 'ask');
  const allow = ['Write', 'Edit', 'NotebookEdit', '*'];

  test.each(asked)('$name', async (example) => {
    const titles: string[] = [];
    const onAsk = async ({ title }: { readonly title: string }) => {
      titles.push(title);
      return 'deny' as const;
    };
    const { root } = caseWorld(example.setup);
    const permissions = [
      createPermissions({ mode: 'default', allow, root, onAsk }),
      createPermissions({ mode: 'acceptEdits', allow, root, onAsk }),
      createPermissions({ mode: 'acceptEdits', allow, root }),
      createPermissions({ mode: 'dontAsk', allow, root }),
    ];
    for (const each of permissions) {
      const { toolkit, call, states } = caseWorld(example.setup, { permissions: each });
      const before = states();
      expect(await call(example.tool, example.input)).toMatchObject({
        ok: false,
        error: { code: 'permission_denied' },
      });
      expect(states()).toEqual(before);
      await toolkit.dispose();
    }
    expect(titles).toHaveLength(2);
  });
});
