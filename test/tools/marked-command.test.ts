import { createPermissions, createToolkit } from 'toolwright';
import { memoryFiles, scriptedShell } from 'toolwright/testing';
import { expect, test } from 'vitest';

import type { PermissionMode, ToolkitOptions } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';

const writing = [
  `cat > c.json <<'EOF'\n{"token": "[REDACTED]"}\nEOF`,
  `cat > c.json <<'EOF'\n{"token": "[REDACTED:assignment#1]"}\nEOF`,
  `echo 'token=[REDACTED]' >> .env`,
  `printf '%s\\n' 'token=[redacted]' | tee .env`,
  `sed -i 's/^token=.*/token=[REDACTED]/' c.json`,
  `python3 -c "open('c.json', 'w').write('[REDACTED]')"`,
  `bash -c "echo '[REDACTED]' > c.json"`,
  `true && { echo [REDACTED]; } > c.json`,
];

const reading = [
  "grep -n '[REDACTED]' c.json",
  "grep -rn '\\[REDACTED\\]' /elsewhere",
  "cd sub && grep -rn '[REDACTED]' .",
  "grep '[REDACTED]' c.json 2>/dev/null > /dev/null",
  "echo '[REDACTED]'",
  "cat c.json | grep -c '\\[REDACTED\\]'",
];

const plain = ['echo x > c.json', 'echo redacted > c.json', '[ -f redacted ] && touch x'];

function workspace(mode: PermissionMode, options: Partial<ToolkitOptions> = {}) {
  const shell = scriptedShell(() => 'done');
  const toolkit = createToolkit({
    root: '/work',
    hosts: { files: memoryFiles({ root: '/work' }), shell },
    permissions: createPermissions({ mode, allow: ['Bash'] }),
    ...options,
  });
  const call = (command: string) => ({ id: '1', name: 'Bash', input: { command } });
  return {
    decide: (command: string) => toolkit.decide(call(command)),
    run: async (command: string) => (await toolkit.execute([call(command)])).results[0],
    shell,
  };
}

test('a mark in a command that may write asks in spite of an allow rule', async () => {
  const { decide } = workspace('default');
  await eachRow(writing, async (command) => {
    expect(await decide(command)).toMatchObject({
      behavior: 'ask',
      question: { reason: expect.stringMatching(/stands for a secret that was hidden/) },
    });
  });
  await eachRow([...reading, ...plain], async (command) =>
    expect(await decide(command)).toMatchObject({ behavior: 'allow' }),
  );
});

test('without onAsk it is refused, and the error says what to do', async () => {
  const { run, shell } = workspace('default');
  expect(await run(writing[0] ?? '')).toMatchObject({
    ok: false,
    output: expect.stringMatching(/\[REDACTED\].*Change the other lines with Edit/s),
  });
  expect(shell.requests).toEqual([]);
});

test('after it ran, the result says that the mark was written', async () => {
  const { run } = workspace('bypassPermissions');
  await eachRow(writing, async (command) =>
    expect((await run(command))?.output).toMatch(/^done\n\[The command contains \[.*the secret is lost/),
  );
  await eachRow([...reading, ...plain], async (command) => expect((await run(command))?.output).toBe('done'));
});

test('without a scrubber a mark is text', async () => {
  const { decide, run } = workspace('default', { scrubber: false });
  expect(await decide(writing[0] ?? '')).toEqual({ behavior: 'allow' });
  expect((await run(writing[0] ?? ''))?.output).toBe('done');
});
