// Runs a command and fails when it, with all that it started, took more CPU time than the given seconds: within-cpu.mjs
// SECONDS COMMAND...
import { spawnSync } from 'node:child_process';

const [most, ...command] = process.argv.slice(2);
// Bash adds up its children when they end, which Node does not tell. What it measured comes through a pipe of its own.
const script = 'TIMEFORMAT="%U %S"; exec 4>&2; { time "$@" 2>&4 3>&- 4>&-; } 2>&3';
const { status, output, error } = spawnSync('bash', ['-c', script, 'bash', ...command], {
  stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  encoding: 'utf8',
});
if (error !== undefined) throw error;
const times = output[3].trim().split(' ').map(Number);
const seconds = times.reduce((sum, time) => sum + time, 0);
const isWithin = seconds <= Number(most);
console.log(
  `CPU time: ${seconds.toFixed(0)} s (user ${times[0]}, system ${times[1]}), at most ${most} s${isWithin ? '' : ': TOO MUCH'}`,
);
process.exitCode = status !== 0 ? (status ?? 1) : isWithin ? 0 : 1;
