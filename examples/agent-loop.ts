/**
 * An agent in a terminal.
 *
 * - `npm start` repairs a copy of examples/project with a scripted model; needs no network and no key
 * - `npm start -- --live --dir PATH "task"` runs the same loop with a real model; needs ANTHROPIC_API_KEY or
 * OPENAI_API_KEY
 */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findProvider, runLive } from './agent-loop/live.js';
import { runOffline } from './agent-loop/offline.js';
import { plain } from './agent-loop/paint.js';
import { createScreen } from './agent-loop/screen.js';

const usage = `Usage: npm start
       npm start -- --live --dir PATH [--provider anthropic|openai] [--model NAME] [--allow RULE]... [--max-turns N] "task"`;

const screen = createScreen(process.stdout, process.env);
const interrupt = new AbortController();
process.on('SIGINT', () => {
  if (interrupt.signal.aborted) process.exit(130);
  interrupt.abort();
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(
    `${plain(interrupt.signal.aborted ? 'Interrupted.' : error instanceof Error ? error.message : String(error))}\n`,
  );
  process.exitCode = interrupt.signal.aborted ? 130 : 1;
}

async function main(argv: readonly string[]): Promise<number> {
  const commandLine = readCommandLine(argv);
  if (commandLine === undefined) return refuse(usage);
  const { values, positionals } = commandLine;
  if (!values.live) return offline(resolve(values.project));

  const task = positionals.join(' ').trim();
  const maxTurns = Number(values['max-turns']);
  const isFolder = values.dir !== undefined && (await stat(values.dir).catch(() => undefined))?.isDirectory() === true;
  if (task === '' || !isFolder || !Number.isInteger(maxTurns) || maxTurns < 1) return refuse(usage);
  const provider = findProvider(process.env, values.provider, values.model);
  if (provider === undefined)
    return refuse('Set ANTHROPIC_API_KEY or OPENAI_API_KEY to run with a real model; plain `npm start` needs no key.');

  const root = resolve(values.dir ?? '');
  const { ending } = await runLive(
    { root, task, provider, allow: values.allow, maxTurns, keyboard: process.stdin },
    screen,
    interrupt.signal,
  );
  if (ending === 'done') return 0;
  process.stderr.write(`Stopped: ${plain(ending)}.\n`);
  return ending === 'interrupted' ? 130 : 1;
}

function readCommandLine(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        live: { type: 'boolean', default: false },
        dir: { type: 'string' },
        provider: { type: 'string' },
        model: { type: 'string' },
        allow: { type: 'string', multiple: true, default: [] },
        'max-turns': { type: 'string', default: '40' },
        project: { type: 'string', default: fileURLToPath(new URL('project', import.meta.url)) },
      },
    });
  } catch {
    return undefined;
  }
}

async function offline(project: string): Promise<number> {
  const problems = await runOffline(project, screen, interrupt.signal);
  interrupt.signal.throwIfAborted();
  for (const problem of problems) process.stderr.write(`Expected, but not so: ${problem}.\n`);
  if (problems.length === 0) screen.succeed('Repaired: the tests of the project pass, the key stayed hidden.');
  return problems.length === 0 ? 0 : 1;
}

function refuse(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 2;
}
