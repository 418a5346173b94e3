import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createToolkit, executeTools, type ToolHooks, ToolRegistry } from '../../src/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

/** Runs one Read under hooks and returns the result and the folder. */
async function underHooks(hooks: ToolHooks, signal?: AbortSignal) {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.txt'), 'one\n');
  writeFileSync(join(root, 'b.txt'), 'two\n');
  const toolkit = testToolkit({ root, hooks });
  const call = { id: 'c1', name: 'Read', input: { file_path: join(root, 'a.txt') } };
  const { results } = await toolkit.execute([call], {
    caller: { sessionId: 's7' },
    ...(signal === undefined ? {} : { signal }),
  });
  const [result] = results;
  if (result === undefined) throw new Error('no result');
  return { root, result };
}

const preToolUse = (command: string, timeoutMs?: number): ToolHooks => ({
  PreToolUse: [{ matcher: 'Read', command, ...(timeoutMs === undefined ? {} : { timeoutMs }) }],
});

test('a hook command gets the event as JSON and runs in the root', async () => {
  const { root, result } = await underHooks(preToolUse('cat > event.json'));
  expect(result).toMatchObject({ ok: true, output: '1\tone' });
  expect(JSON.parse(readFileSync(join(root, 'event.json'), 'utf8'))).toEqual({
    hook_event_name: 'PreToolUse',
    session_id: 's7',
    cwd: root,
    tool_name: 'Read',
    tool_input: { file_path: join(root, 'a.txt') },
    tool_use_id: 'c1',
  });
});

const denied = { ok: false, error: { code: 'denied_by_hook' } };
const says = (reason: string) => ({ ok: false, output: `Error: denied by hook: ${reason}` });

describe('before a call', () => {
  test.each<[string, string, object]>([
    ['exit 0 without a word lets it run', 'true', { ok: true }],
    ['text that is no JSON is for people', 'echo fine', { ok: true }],
    ['exit 2 denies with stderr as the reason', 'echo not on Fridays >&2; exit 2', says('not on Fridays')],
    ['a decision denies', `echo '{"decision":"deny","reason":"no"}'`, says('no')],
    ['block is an older word for deny', `echo '{"decision":"block","reason":"no"}'`, denied],
    [
      'the nested form denies',
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"nested"}}'`,
      says('nested'),
    ],
    [
      'a no in one form is a no, whatever the other says',
      `echo '{"decision":"block","reason":"no","hookSpecificOutput":{"permissionDecision":"allow"}}'`,
      says('no'),
    ],
    [
      'a misspelt no beside an allow is a failure and denies',
      `echo '{"decision":"blok","hookSpecificOutput":{"permissionDecision":"allow"}}'`,
      denied,
    ],
    ['the nested form allows', `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`, { ok: true }],
    [
      'the nested form adds context',
      `echo '{"hookSpecificOutput":{"additionalContext":"note"}}'`,
      { ok: true, additionalContext: 'note' },
    ],
    ['continue false denies', `echo '{"continue":false,"stopReason":"halt"}'`, says('halt')],
    ['another exit code is a failure and denies', 'exit 1', denied],
    ['a signal is a failure and denies', 'kill -9 $$', denied],
    ['broken JSON is a failure and denies', `echo '{"decision":'`, denied],
    ['a misspelt answer is a failure and denies', `echo '{"descision":"allow"}'`, denied],
    ['a field in the wrong place is a failure and denies', `echo '{"permissionDecision":"allow"}'`, denied],
    ['a misspelt nested answer is a failure and denies', `echo '{"hookSpecificOutput":{"decision":"allow"}}'`, denied],
    ['fields for other programs are let be', `echo '{"continue":true,"terminalTitle":"x"}'`, { ok: true }],
    ['a list is a failure and denies', `echo '[]'`, denied],
    ['a word in quotes is a failure and denies', `echo '"deny"'`, denied],
    ['false is a failure and denies', 'echo false', denied],
    ['null is no answer', 'echo null', { ok: true }],
    ['a number is for people', 'echo 5', { ok: true }],
    ['a list in the nested form denies', `echo '{"hookSpecificOutput":[]}'`, denied],
    ['text in the nested form denies', `echo '{"hookSpecificOutput":"deny"}'`, denied],
    ['a nested form of null is none', `echo '{"hookSpecificOutput":null}'`, { ok: true }],
    ['a misspelt field beside a known one denies', `echo '{"suppressOutput":true,"decison":"deny"}'`, denied],
    [
      'a misspelt nested field beside a known one denies',
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecison":"deny"}}'`,
      denied,
    ],
    ['continue that is not a boolean denies', `echo '{"continue":"false"}'`, denied],
    [
      'an answer after lines for people counts',
      `echo checking; echo; echo '{"decision":"deny","reason":"late"}'`,
      says('late'),
    ],
    [
      'so does one over many lines',
      `echo checking; printf '{\n  "decision": "deny",\n  "reason": "wide"\n}\n'`,
      says('wide'),
    ],
    [
      'an answer with lines behind it is a failure and denies',
      `echo checking; echo '{"decision":"deny"}'; echo done`,
      denied,
    ],
    ['an answer behind text on its line counts', `echo 'checked: {"decision":"deny","reason":"b"}'`, says('b')],
    ['so does one before text', `echo '{"decision":"deny","reason":"before"} (done)'`, says('before')],
    ['so does one between', `echo 'at last {"decision":"deny","reason":"mid"} done'`, says('mid')],
    [
      'so does one behind text after lines',
      `echo checking; printf 'so: {\n "decision": "deny",\n "reason": "far"}\n'`,
      says('far'),
    ],
    ['an allow behind text counts', `echo 'fine {"decision":"allow"}'`, { ok: true }],
    ['a misspelt answer behind text denies', `echo 'fine {"decison":"deny"}'`, denied],
    ['a broken answer behind text denies', `echo 'fine {"decision":"deny"'`, denied],
    ['one that is cut off after lines denies', `echo checking; echo '{"decision":"de'`, denied],
    ['lines with braces that are no JSON are for people', `printf 'checking\n{ x\n}\n'`, { ok: true }],
    ['an input of null is no rewrite', `echo '{"updatedInput":null}'`, { ok: true, output: '1\tone' }],
    ['an unknown decision is a failure and denies', `echo '{"decision":"perhaps"}'`, denied],
    ['a program that is not there is a failure and denies', './no-such-program', denied],
  ])('%s', async (_, command, wanted) => {
    expect((await underHooks(preToolUse(command))).result).toMatchObject(wanted);
  });

  test('it can rewrite the input', async () => {
    const { result } = await underHooks(
      preToolUse(`sed 's/.*"file_path":"\\([^"]*\\)a.txt".*/{"updatedInput":{"file_path":"\\1b.txt"}}/'`),
    );
    expect(result).toMatchObject({ ok: true, output: '1\ttwo' });
  });

  test('a command over its time limit is ended and denies the call', async () => {
    const { root, result } = await underHooks(preToolUse('sleep 30; touch late', 200));
    expect(result).toMatchObject({ error: { code: 'denied_by_hook' } });
    expect(existsSync(join(root, 'late'))).toBe(false);
  });
});

describe('after a call', () => {
  test('it gets the scrubbed result and can add to it', async () => {
    const { root, result } = await underHooks({
      PostToolUse: [{ command: `cat > event.json; echo '{"additionalContext":"seen"}'` }],
    });
    expect(result).toMatchObject({ ok: true, additionalContext: 'seen' });
    expect(JSON.parse(readFileSync(join(root, 'event.json'), 'utf8')).tool_response).toMatchObject({
      output: '1\tone',
    });
  });

  test('exit code 2 sends stderr to the model', async () => {
    const { result } = await underHooks({ PostToolUse: [{ command: 'echo look again >&2; exit 2' }] });
    expect(result).toMatchObject({ ok: true, output: '1\tone', additionalContext: 'look again' });
  });

  test('a failing command does not change the result', async () => {
    expect((await underHooks({ PostToolUse: [{ command: 'exit 1' }] })).result).toMatchObject({
      ok: true,
      output: '1\tone',
    });
  });
});

test('the temporary file of the event is removed', async () => {
  const { root, result } = await underHooks(preToolUse('readlink /proc/self/fd/0 > where'));
  expect(result.ok).toBe(true);
  const event = readFileSync(join(root, 'where'), 'utf8').trim();
  expect(event).toMatch(/^\/.*toolwright-/);
  expect(existsSync(event)).toBe(false);
});

test('a command hook without a shell throws a TypeError', async () => {
  await expect(executeTools([], { registry: new ToolRegistry(), hooks: preToolUse('true') })).rejects.toThrow(
    'command works only in createToolkit',
  );
  expect(() => createToolkit({ root: '/', hooks: { PreToolUse: [{}] } })).toThrow('needs hooks');
  expect(() => createToolkit({ root: '/', hooks: { PreToolUse: [{ command: 'x', hooks: [] }] } })).toThrow('not both');
});
