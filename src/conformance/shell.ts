import { strict as assert } from 'node:assert';
import { ToolError } from '../core/error.js';
import { startTimer } from '../core/support/timers.js';
import type { Shell } from '../ports/shell.js';
import { refuses } from './file-system-trial.js';
import { conformanceKit, type Disposable, newScope, same, within } from './kit.js';

/** A shell with a writable root folder. */
export interface ShellSubject extends Disposable {
  readonly shell: Shell;
  /** Absolute path of the root folder, as commands see it. */
  readonly root: string;
}

/**
 * The requirements of Bash and hooks for a shell: `for (const { name, run } of shellConformance) test(name, () =>
 * run(makeShell));`
 */
export const shellConformance = conformanceKit<ShellSubject>({
  'a command that ends resolves with its exit code and its output': async ({ shell }, scope) => {
    const outcome = await shell.run({ command: 'echo out; exit 3' }, scope);
    same([outcome.exitCode, outcome.signal, outcome.timedOut], [3, undefined, false]);
    assert.equal(outcome.output.trim(), 'out');
  },
  'the output contains both streams': async ({ shell }, scope) => {
    const { output } = await shell.run({ command: 'echo one; echo two >&2' }, scope);
    same(output.trim().split('\n').sort(), ['one', 'two']);
  },
  'multi-byte characters are not broken': async ({ shell }, scope) => {
    const { output } = await shell.run({ command: "printf '%s' 'ü \u{1f680}'" }, scope);
    assert.equal(output.trim(), 'ü \u{1f680}');
  },
  'a command starts in the root, or in the requested folder below it': async ({ shell, root }, scope) => {
    assert.equal((await shell.run({ command: 'pwd -P; mkdir -p below' }, scope)).output.trim(), root);
    assert.equal((await shell.run({ command: 'pwd -P', cwd: `${root}/below` }, scope)).output.trim(), `${root}/below`);
  },
  'a folder outside the root is refused': async ({ shell }, scope) => {
    await refuses(shell.run({ command: 'true', cwd: '/' }, scope), 'path_outside_root');
  },
  'the environment variables of the request are set': async ({ shell }, scope) => {
    const env = { GREETING: "it's $HOME `x`" };
    assert.equal((await shell.run({ command: 'printf %s "$GREETING"', env }, scope)).output.trim(), env.GREETING);
  },
  'a command has no input to wait for': async ({ shell }, scope) => {
    const { exitCode } = await within(shell.run({ command: 'cat >/dev/null' }, scope), 'cat must end without input');
    assert.equal(exitCode, 0);
  },
  'the outcome names the signal that ended a command': async ({ shell }, scope) => {
    const { exitCode, signal } = await shell.run({ command: 'kill -9 $$' }, scope);
    same([exitCode, signal], [undefined, 'SIGKILL']);
  },
  'long output is cut and marked as truncated': async ({ shell }, scope) => {
    const { output, truncated } = await shell.run({ command: 'yes 0123456789 | head -n 300000; echo last' }, scope);
    assert.equal(truncated, true);
    assert.ok(output.length < 1_000_000 && output.includes('last'), 'the end is shown');
  },
  'a time limit ends the command and its background processes': async ({ shell, root }, scope) => {
    const late = `sleep 2; echo late > "${root}/late"`;
    const outcome = await within(
      shell.run({ command: `(${late}) & echo begun; sleep 30`, timeoutMs: 300 }, scope),
      'a command must end at its limit',
    );
    same([outcome.timedOut, outcome.output.includes('begun')], [true, true]);
    const { output } = await shell.run({ command: 'sleep 2.5; ls' }, scope);
    assert.ok(!output.includes('late'), 'no process continues after the limit');
  },
  'an abort ends the command': async ({ shell }) => {
    const controller = new AbortController();
    const onOutput = () => controller.abort();
    const run = shell.run({ command: 'echo begun; sleep 30', onOutput }, newScope('conformance', controller.signal));
    startTimer(() => controller.abort(), 1_000).unref();
    await assert.rejects(
      within(run, 'an aborted command must end'),
      (thrown) => ToolError.is(thrown) && ['cancelled', 'interrupted'].includes(thrown.code),
    );
  },
  'nothing starts after an abort': async ({ shell, root }, scope) => {
    const aborted = newScope('conformance', AbortSignal.abort());
    await refuses(shell.run({ command: `touch "${root}/started"` }, aborted), 'cancelled');
    assert.ok(!(await shell.run({ command: 'ls' }, scope)).output.includes('started'));
  },
  'simultaneous commands have separate output': async ({ shell }, scope) => {
    const run = (name: string) => shell.run({ command: `echo ${name}; sleep 0.1; echo ${name}` }, scope);
    const outcomes = await Promise.all(['a', 'b', 'c'].map(run));
    const outputs = outcomes.map(({ output }) => output.trim());
    same(outputs, ['a\na', 'b\nb', 'c\nc']);
  },
});
