import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from './run-example.js';

const script = fileURLToPath(new URL('../../examples/agent-loop.ts', import.meta.url));
const project = fileURLToPath(new URL('../../examples/project', import.meta.url));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A copy of the example project in which one file reads differently. */
async function projectWith(name: string, file: string, change: (text: string) => string): Promise<string> {
  const copy = join(folder, name);
  await cp(project, copy, { recursive: true });
  const path = join(copy, file);
  await writeFile(path, change(await readFile(path, 'utf8')));
  return copy;
}

describe('npm start', () => {
  test('repairs the project, asks once, hides the key, and says so', async () => {
    const { exitCode, stdout, stderr } = await runProgram(script, []);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.split('\n');
    const landmarks = [
      /^ {2}! Bash: .* \d+ ms$|^ {2}! Bash: .* \d+\.\d s$/,
      /^ {4}Exit code: 1$/,
      /^ {2}✓ Grep .* \d+ ms$/,
      /^ {2}✓ Read .*discount\.js.* \d+ ms$/,
      /^ {2}✓ Read .*config\.json.* \d+ ms$/,
      /"taxService": "\[REDACTED\]"/,
      /^ {2}\? Edit .*discount\.js/,
      /^ {4}allowed: /,
      /^ {2}✓ Edit .* \d+ ms$/,
      /^ {4}-.*quantity > config\.bulkFrom/,
      /^ {4}\+.*quantity >= config\.bulkFrom/,
      /^ {4}hook: Files changed/,
      /^ {2}✓ Bash: /,
      /^Done: /,
      /^Repaired: /,
    ];
    let from = 0;
    for (const landmark of landmarks) {
      const found = lines.findIndex((line, index) => index >= from && landmark.test(line));
      expect(found, `${landmark} after line ${from} of\n${stdout}`).toBeGreaterThanOrEqual(from);
      from = found;
    }
    expect(stdout).not.toContain(['T7wq2LmX9vRb4KdZ', '81fHcYsN6uGpJ3eA'].join('-'));
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test('colours the change where colours are wanted, and only there', async () => {
    const coloured = await runProgram(script, [], { FORCE_COLOR: '1', NO_COLOR: '1' });
    expect(coloured.stdout).toMatch(/\p{Cc}\[32m\+.*>= config\.bulkFrom.*\p{Cc}\[39m/u);
    expect(coloured.stdout).toMatch(/\p{Cc}\[31m-.*> config\.bulkFrom.*\p{Cc}\[39m/u);
  });

  test.each([
    ['nothing is wrong with the project', 'src/discount.js', (text: string) => text.replace('>', '>='), 'the tests failed before'],
    ['the mistake is another one', 'src/discount.js', (text: string) => text.replace('>', '<'), 'the tests pass now'],
    ['there is a second mistake', 'src/invoice.js', (text: string) => text.replace('sum + cents', 'sum - cents'), 'the tests pass now'],
    [
      'there is no such function',
      'test/discount.test.js',
      (text: string) => text.replaceAll("'discountFor: ", "'discount: "),
      'the tests pass now',
    ],
  ])('notices when %s', async (name, file, change, problem) => {
    const { exitCode, stderr } = await runProgram(script, ['--project', await projectWith(name, file, change)]);
    expect(stderr).toContain(`Expected, but not so: ${problem}.`);
    expect(exitCode).toBe(1);
  });
});
