import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPermissions, createToolkit, type Toolkit } from 'toolwright';

/** A call as a model makes it. */
interface ExampleCall {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** What the examples of adapters work in. */
export interface Workspace {
  readonly toolkit: Toolkit;
  /** Three calls in one message, each of which needs the one before it. */
  readonly calls: readonly ExampleCall[];
  /** One that a person is asked about. */
  readonly asked: ExampleCall;
  /** What a model must have read as the answer to the last of them. */
  readonly expected: string;
}

/** Runs an example in a folder of its own, and exits with 1 when one of its checks does not hold. */
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

/** A `fetch` that answers with these bodies in turn, in place of a provider, and keeps what was sent. */
export function scriptedFetch(...answers: readonly object[]) {
  const sent: string[] = [];
  const answer: typeof fetch = (_url, init) => {
    sent.push(String(init?.body));
    const body = JSON.stringify(answers[sent.length - 1] ?? {});
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  };
  return { fetch: answer, sent };
}
