// Runs a command and fails when it, with all that it started, took more CPU time than so many times of a reference,
// which is measured on the same machine: within-cpu.mjs TIMES 'REFERENCE' COMMAND...
import { spawnSync } from 'node:child_process';

const [most, reference, ...command] = process.argv.slice(2);
const { seconds, status } = measure(command, 'inherit');
let unit = measure(['bash', '-c', reference], 'ignore').seconds;
// A machine that others share is not always as fast.
if (seconds > Number(most) * unit) unit = Math.max(unit, measure(['bash', '-c', reference], 'ignore').seconds);
const times = seconds / unit;
const isWithin = times <= Number(most);
console.log(
  `CPU time: ${seconds.toFixed(0)} s, ${times.toFixed(1)} times the ${unit.toFixed(0)} s of ${reference}, at most ${most} times${isWithin ? '' : ': TOO MUCH'}`,
);
process.exitCode = status !== 0 ? (status ?? 1) : isWithin ? 0 : 1;

/** Bash adds up its children when they end, which Node does not tell. What it measured comes through a pipe of its own. */
function measure(words, stdout) {
  const script = 'TIMEFORMAT="%U %S"; exec 4>&2; { time "$@" 2>&4 3>&- 4>&-; } 2>&3';
  const { status, output, error } = spawnSync('bash', ['-c', script, 'bash', ...words], {
    stdio: ['ignore', stdout, 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  const [user, system] = output[3].trim().split(' ').map(Number);
  return { seconds: user + system, status };
}
