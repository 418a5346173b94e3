import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOffline } from '../../examples/agent-loop/offline.js';
import { compiled } from '../support/compiled-programs.js';
import { MemoryScreen } from './memory-screen.js';
import { runProgram } from './run-example.js';

const script = compiled('examples/agent-loop');
const project = fileURLToPath(new URL('../../examples/project', import.meta.url));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A copy of the example project with one changed file. */
async function projectWith(name: string, file: string, change: (text: string) => string): Promise<string> {
  const copy = join(folder, name);
  await cp(project, copy, { recursive: true });
  const path = join(copy, file);
  await writeFile(path, change(await readFile(path, 'utf8')));
  return copy;
}

describe('npm start', () => {
  test('repairs the project, asks once, hides the key, and reports success', async () => {
    const { exitCode, stdout, stderr } = await runProgram(script, []);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.split('\n');
    const landmarks = [
      /^ {2}! Bash: node --test [\d.]+ m?s · Run the tests$/,
      /^ {4}Exit code: 1$/,
      /^ {2}✓ Grep .* [\d.]+ m?s$/,
      /^ {2}✓ Read .*discount\.js [\d.]+ m?s$/,
      /^ {2}✓ Read .*config\.json [\d.]+ m?s$/,
      /"taxService": "\[REDACTED\]"/,
      /^ {2}\? Edit .*discount\.js risk medium$/,
      /^ {4}allowed: /,
      /^ {2}✓ Edit .* [\d.]+ m?s$/,
      /^ {4}- .*quantity > config\.bulkFrom/,
      /^ {4}\+ .*quantity >= config\.bulkFrom/,
      /^ {4}hook: Files changed/,
      /^ {2}✓ Bash: node --test [\d.]+ m?s$/,
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
    expect(stdout.replaceAll(/[\n\t]/g, '')).not.toMatch(/\p{Cc}/u);
  });

  test('exits with 1 and names the failed check if the project is not repaired', async () => {
    const copy = await projectWith('hopeless', 'src/discount.js', (text) => text.replace('>', '<'));
    const { exitCode, stderr } = await runProgram(script, ['--project', copy]);
    expect(stderr).toContain('Expected, but not so: the tests pass now.\n');
    expect(exitCode).toBe(1);
  });
});

describe('the offline run', () => {
  const run = async (folder: string, screen = new MemoryScreen()) =>
    runOffline(folder, screen.screen, new AbortController().signal);

  test('colours the change if colours are wanted', async () => {
    const screen = new MemoryScreen({ FORCE_COLOR: '1' });
    expect(await run(project, screen)).toEqual([]);
    expect(screen.text).toMatch(/\p{Cc}\[32m\+.*>= config\.bulkFrom.*\p{Cc}\[39m/u);
    expect(screen.text).toMatch(/\p{Cc}\[31m-.*> config\.bulkFrom.*\p{Cc}\[39m/u);
  });

  test.each([
    ['nothing is wrong with the project', 'src/discount.js', '>', '>=', 'the tests failed before'],
    ['there is a second mistake', 'src/invoice.js', 'sum + cents', 'sum - cents', 'the tests pass now'],
    ['there is no such function', 'test/discount.test.js', "'discountFor: ", "'x: ", 'the tests pass now'],
  ])('detects that %s', async (name, file, from, to, problem) =>
    expect(await run(await projectWith(name, file, (text) => text.replaceAll(from, to)))).toContain(problem),
  );
});
