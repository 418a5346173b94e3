import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eachRow } from './support/each-row.js';
import { temporaryFolder } from './support/temporary-folder.js';

// The imports, the setup, and the mistakes, each with its message.
const parts = readFileSync(new URL('fixtures/mistakes.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n\n');
const [imports = '', setup = '', mistakes = ''] = parts;
const rows = mistakes.split(/\n(?! )/).map((row) => {
  const [program = '', ...said] = row.split('\n');
  return { program, said: said.map((line) => line.slice(2)).join('\n') };
});

/** The programs of all rows, as functions. */
async function programs(): Promise<readonly (() => Promise<unknown>)[]> {
  const found = Array.from(imports.matchAll(/^import \{ (.*) \} from '(.*)';$/gm), ([, names = '', entry = '']) => ({
    names: names.split(', '),
    entry,
  }));
  const values: unknown[] = [];
  for (const { names, entry } of found) {
    const exported = (await import(entry)) as Record<string, unknown>;
    values.push(...names.map((name) => exported[name]));
  }
  const list = rows.map(({ program }) => `async () => (${program})`).join(',');
  const make = new AsyncFunction('root', ...found.flatMap(({ names }) => names), `${setup}\nreturn [${list}];`);
  return (await make(temporaryFolder(), ...values)) as (() => Promise<unknown>)[];
}

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: readonly string[]
) => (...values: readonly unknown[]) => Promise<unknown>;

test('each mistake of a new user gives a TypeError with an explanation, a warning, or a result for the model', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  const made = await programs();
  expect(made.length).toBeGreaterThan(60);
  await eachRow(
    rows,
    async ({ said }, index) => {
      warned.mockClear();
      const answer = await made[index]?.().then(
        (value) => outputOf(value),
        (thrown) => (thrown instanceof TypeError ? thrown.message : `no TypeError: ${String(thrown)}`),
      );
      const [warning] = warned.mock.calls;
      expect(warning === undefined ? answer : `warns: ${String(warning[0])}`).toBe(said);
    },
    ({ program }) => program,
  );
});

function outputOf(value: unknown): string {
  const output = (value as { readonly output?: unknown } | undefined)?.output;
  return typeof output === 'string' ? `answers: ${output}` : 'nothing';
}
