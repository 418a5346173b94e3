import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Sandbox } from '../ports/sandbox.js';
import { conformanceKit, type Disposable, same, within } from './kit.js';

/** A sandbox, and a canonical folder of this machine to which commands in the sandbox can write. */
export interface SandboxSubject extends Disposable {
  readonly sandbox: Sandbox;
  readonly root: string;
  /** A canonical folder of this machine to which commands in the sandbox must not be able to write. */
  readonly outside: string;
}

/**
 * The requirements for a sandbox. A sandbox that cannot be used on this machine fails the first case; the error gives
 * the reason.
 */
export const sandboxConformance = conformanceKit<SandboxSubject>({
  'the sandbox can be used on this machine': async ({ sandbox }, scope) => {
    assert.equal(await sandbox.obstacle(scope), undefined);
    assert.ok(sandbox.name.length > 0 && sandbox.timeoutMs > 0, 'a sandbox must have a name and a time limit');
  },
  'the exit code and both streams of a command are passed on': async (subject) => {
    const ended = await run(subject, 'echo out; echo err >&2; exit 3');
    same(ended, { code: 3, stdout: 'out\n', stderr: 'err\n' });
  },
  'a command starts in its folder and can write there': async (subject) => {
    const { code, stdout } = await run(subject, 'pwd -P; echo x > made && cat made');
    same([code, stdout.split('\n').at(-2)], [0, 'x']);
  },
  'quotes, variables and line breaks of a command are kept': async (subject) => {
    const { stdout } = await run(subject, `printf '%s' "it's \\$5"\nprintf ' %s' "$GREETING"`);
    assert.equal(stdout, "it's $5 hello 'you'");
  },
  'commands cannot write outside the roots': async (subject) => {
    const { code } = await run(subject, `echo x > '${subject.outside}/escaped'`);
    assert.notEqual(code, 0);
    same((await run(subject, `ls '${subject.outside}' 2>/dev/null | grep escaped`)).stdout, '');
  },
  'killing the launched program ends the command': async (subject) => {
    const { child, launch } = start(subject, 'echo begun; sleep 30');
    await within(once(child.stdout, 'data'), 'the command must begin');
    child.kill('SIGKILL');
    await launch.end?.();
    await within(once(child.stdout, 'close'), 'the output of an ended command must close');
  },
});

function start({ sandbox, root }: SandboxSubject, command: string) {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', GREETING: "hello 'you'" };
  const launch = sandbox.launch({ command, roots: [root], cwd: root, env, inherited: new Set(['PATH']) });
  const child = spawn(launch.file, launch.arguments, { cwd: root, env: launch.env, stdio: ['ignore', 'pipe', 'pipe'] });
  return { child, launch };
}

async function run(subject: SandboxSubject, command: string) {
  const { child } = start(subject, command);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => (texts[name] += chunk));
  const [code] = (await within(once(child, 'close'), 'a command must end')) as [number | null];
  return { code, ...texts };
}
