import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPermissions, createToolkit, type Toolkit } from 'toolwright';

/** A call of a model. */
interface ExampleCall {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** The workspace of the examples for adapters. */
export interface Workspace {
  readonly toolkit: Toolkit;
  /** Three calls of one message. Each depends on the previous one. */
  readonly calls: readonly ExampleCall[];
  /** A call that asks a person. */
  readonly asked: ExampleCall;
  /** The output of the last of the three calls. */
  readonly expected: string;
}

/** Runs an example in a temporary folder, and exits with 1 if one of its checks fails. */
export async function inWorkspace(example: (workspace: Workspace) => Promise<Record<string, boolean>>): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-adapter-')));
  const permissions = createPermissions({ allow: ['Write', 'Bash'], ask: ['Write(asked.md)'], root });
  const toolkit = createToolkit({ root, permissions });
  const file = join(root, 'notes.md');
  const calls = [
    { id: 'call_1', name: 'Write', input: { file_path: file, content: 'one\n' } },
    { id: 'call_2', name: 'Bash', input: { command: 'cat notes.md; echo two >> notes.md' } },
    { id: 'call_3', name: 'Read', input: { file_path: file } },
  ];
  try {
    const asked = { id: 'call_4', name: 'Write', input: { file_path: join(root, 'asked.md'), content: 'three\n' } };
    const checks = await example({ toolkit, calls, asked, expected: '1\tone\n2\ttwo' });
    for (const [expectation, holds] of Object.entries(checks))
      process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${expectation}\n`);
    process.exitCode = Object.values(checks).every(Boolean) ? 0 : 1;
  } finally {
    await toolkit.dispose();
    await rm(root, { recursive: true });
  }
}

/** A `fetch` that replaces a provider: it answers with these bodies in turn, and records the requests. */
export function scriptedFetch(...answers: readonly object[]) {
  const sent: string[] = [];
  const answer: typeof fetch = (_url, init) => {
    sent.push(String(init?.body));
    const body = JSON.stringify(answers[sent.length - 1] ?? {});
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  };
  return { fetch: answer, sent };
}
