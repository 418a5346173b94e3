/**
 * A handler without state in memory: one request asks, another one answers, each in its own process.
 *
 * npx tsx examples/web-approval.ts
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { handle } from './web-approval/handler.js';

const [mode, folder = ''] = process.argv.slice(2);
process.exitCode = mode === '--instance' ? await serveOne(folder) : await demonstrate();

/** An instance of the handler: reads a request from standard input, answers it and ends. */
async function serveOne(base: string): Promise<number> {
  const { path, body } = JSON.parse(await text(process.stdin)) as { readonly path: string; readonly body: object };
  const request = new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify(body) });
  const options = {
    root: join(base, 'work'),
    shared: join(base, 'shared'),
    secret: process.env.SUSPENSION_SECRET ?? '',
  };
  const response = await handle(request, options);
  process.stdout.write(JSON.stringify({ status: response.status, body: await response.json() }));
  return 0;
}

interface Answered {
  readonly status: number;
  readonly body: {
    readonly status?: string;
    readonly suspension?: string;
    readonly questions?: readonly { readonly id: string; readonly title: string; readonly preview?: string }[];
    readonly results?: readonly ({ readonly ok: boolean; readonly output: string } | null)[];
    readonly error?: string;
  };
}

/** The requests of a browser, with a new process for each request. */
async function demonstrate(): Promise<number> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-web-')));
  for (const name of ['work', 'shared']) mkdirSync(join(base, name));
  const post = async (path: string, body: object): Promise<Answered> => {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), '--instance', base];
    const env = { ...process.env, SUSPENSION_SECRET: 'thirty-two random bytes in real life' };
    const instance = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    instance.stdin.end(JSON.stringify({ path, body }));
    return JSON.parse(await text(instance.stdout)) as Answered;
  };
  const write = (id: string, file: string) => ({
    id,
    name: 'Write',
    input: { file_path: join(base, 'work', file), content: `${id}\n` },
  });
  try {
    const asked = await post('/turn', { calls: [write('1', 'drafts/a.txt'), write('2', 'report.txt')] });
    const { suspension = '', questions = [], results: first = [] } = asked.body;
    const answers = { [questions[0]?.id ?? '']: 'allow-once' };
    const isEarly = existsSync(join(base, 'work/report.txt'));
    const forged = await post('/answers', { suspension: suspension.replace(/.$/, '!'), answers });
    const ended = await post('/answers', { suspension, answers });
    const again = await post('/answers', { suspension, answers });
    const checks = {
      'what a rule allows ran at once': first[0]?.ok === true,
      'the other call became a question': questions[0]?.title === 'Write report.txt' && first[1] === null && !isEarly,
      'a changed suspension was refused': forged.status === 400,
      'another process ran what was allowed': ended.body.status === 'done' && ended.body.results?.[1]?.ok === true,
      'the file is there': existsSync(join(base, 'work/report.txt')),
      'the same answer sent again ran nothing': JSON.stringify(again.body) === JSON.stringify(ended.body),
    };
    for (const [expectation, holds] of Object.entries(checks))
      process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${expectation}\n`);
    return Object.values(checks).every(Boolean) ? 0 : 1;
  } finally {
    await rm(base, { recursive: true });
  }
}
