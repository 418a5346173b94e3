import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from './examples/run-example.js';
import { compiled, compileTexts } from './support/compiled-programs.js';
import { temporaryFolder } from './support/temporary-folder.js';

const bin = compiled('src/bin');

/** Runs the program like a user. */
function toolwright(
  words: readonly string[],
  cwd: string,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...words], { cwd }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

describe('toolwright', () => {
  test('list prints the tools', async () => {
    const { code, out } = await toolwright(['list'], temporaryFolder());
    expect(code).toBe(0);
    expect(out).toMatch(/^Bash +\S/m);
    expect(out).toMatch(/^Grep +\S/m);
  });

  test('call runs one tool in the folder, without asking', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.txt');
    writeFileSync(path, 'hello\n');
    expect(await toolwright(['call', 'Read', JSON.stringify({ file_path: path })], folder)).toEqual({
      code: 0,
      out: '1\thello\n',
      err: '',
    });
    const written = await toolwright(
      ['call', 'Bash', '{"command":"echo hi > b.txt; cat b.txt"}', '--root', folder],
      '/',
    );
    expect(written).toMatchObject({ code: 0, out: 'hi\n\n' });
  });

  test('a reader may close the output early', async () => {
    const line = '"$0" "$1" list 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"';
    const out = await new Promise((resolve) => {
      execFile('bash', ['-c', line, process.execPath, bin], { cwd: temporaryFolder() }, (_, text) => resolve(text));
    });
    expect(out).toMatch(/^Bash +[^\n]*\n0\n$/);
  });

  test.each([
    ['a call that fails', ['call', 'Read', '{"file_path":"/etc/passwd"}'], 1, /outside the workspace/],
    ['a denied command', ['call', 'Bash', '{"command":"rm -rf /"}'], 1, /blocked by safety policy/],
    ['an unknown tool', ['call', 'Raed', '{}'], 1, /Did you mean "Read"/],
    ['an input that is no JSON', ['call', 'Read', '{'], 1, /not valid JSON/],
    ['no command', [], 2, /Usage/],
    ['an unknown command', ['lst'], 2, /unknown command "lst"/],
    ['a call without a name', ['call'], 2, /name of a tool/],
    ['an unknown option', ['list', '--rot', '/'], 2, /--rot/],
    ['a root that does not exist', ['list', '--root', '/nowhere/at/all'], 2, /exist/],
    ['rules without --allow', ['mcp', 'Edit(src/**)'], 2, /mcp takes rules only after --allow/],
    ['an option of admin for mcp', ['mcp', '--host', '0.0.0.0'], 2, /--host are for admin/],
    ['a surplus word', ['list', 'Read'], 2, /list: unexpected argument "Read"/],
    ['a surplus word of a call', ['call', 'Read', '{}', '/root'], 2, /call: unexpected argument "\/root"/],
    ['help', ['--help'], 0, /Usage/],
    ['the version', ['--version'], 0, /^\d+\.\d+\.\d+\n$/],
    ['a tool that is not there', ['call', 'Foo'], 1, /unknown tool: Foo\b.*\n.*toolwright list/],
  ])('%s', async (_, words, code, message) => {
    const result = await toolwright(words as string[], temporaryFolder());
    expect(result.code).toBe(code);
    expect(result.out + result.err).toMatch(message);
  });
});

test('a process that only imports the package ends', async () => {
  const [script = ''] = await compileTexts([`await import('toolwright');\nconsole.log('imported');\n`]);
  expect(await runProgram(script, [])).toEqual({ exitCode: 0, stdout: 'imported\n', stderr: '' });
});
