import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import { executeTools, Tool, ToolRegistry } from '../../src/core.js';
import { allowAll, calls, tool } from '../support/pipeline.js';

/** Two different parts with one id, which JSON Schema cannot describe. */
const clashing = () => {
  const part = () => z.string().meta({ id: 'part' });
  return Tool.define('Clashing', {
    description: 'd',
    input: z.object({ a: part(), b: part().min(1).meta({ id: 'part' }) }),
    sideEffect: 'none',
    execute: () => 'ran',
  });
};

async function warningsDuring(work: () => unknown): Promise<Error[]> {
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on('warning', listen);
  try {
    await work();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('warning', listen);
  }
  return warnings;
}

test('a tool that cannot be described is omitted with one warning, without effect on other tools', async () => {
  const registry = new ToolRegistry().register(
    tool('First', () => ''),
    clashing(),
    tool('Last', () => ''),
  );
  const warnings = await warningsDuring(() => {
    for (const select of [undefined, () => true])
      expect(registry.definitions(select).map(({ name }) => name)).toEqual(['First', 'Last']);
  });
  expect(warnings).toMatchObject([
    { code: 'TOOLWRIGHT_UNDESCRIBED_TOOL', message: expect.stringMatching(/^Clashing cannot be used: .*part/) },
  ]);
});

test('an omitted tool cannot be called, and the error gives the reason', async () => {
  const registry = new ToolRegistry().register(
    tool('First', () => 'ran'),
    clashing(),
  );
  const { results } = await executeTools(calls(['Clashing', { a: 'x', b: 'y' }], 'First'), {
    registry,
    permissions: allowAll,
  });
  expect(results).toMatchObject([{ ok: false, error: { code: 'execution_failed' } }, { ok: true }]);
  expect(results[0]?.output).toMatch(
    /^Error: Clashing cannot be used: its input schema cannot be described \(.+\)\. Use another tool\.$/s,
  );
});
