import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CustomToolDefinition, customTool } from 'toolwright/managed';
import { expect, test } from 'vitest';
import { fixture } from '../support/case-world.js';
import { table } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';

interface TemplateCase {
  readonly template: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout_seconds?: number;
  readonly stdout?: string;
  readonly error?: boolean;
  readonly blocked?: boolean;
  readonly safe?: boolean;
  readonly max_ms?: number;
}

/** The result of a call, or the error for the definition. */
async function run({ template, args, env, timeout_seconds }: TemplateCase, root: string) {
  const toolkit = testToolkit({ root, permissions: 'bypassPermissions' });
  const properties = Object.fromEntries(Object.keys(args).map((key) => [key, {}]));
  const definition: CustomToolDefinition = {
    ...{ name: 'from_template', description: 'Runs it', parameters: { type: 'object', properties } },
    ...{ command: template, env, timeout_seconds },
  };
  try {
    toolkit.registry.register(customTool(definition, toolkit));
  } catch (thrown) {
    return { ok: false, text: String(thrown) };
  }
  const result = await toolkit.call('from_template', args);
  return { ok: result.ok, text: result.ok ? result.output : result.error.message };
}

table(fixture<TemplateCase>('template-injection'))('%j reaches a real shell unchanged', async (row) => {
  const root = temporaryFolder();
  const { ok, text } = await run(row, root);
  expect(existsSync(join(root, 'PWNED'))).toBe(false);
  if (row.stdout !== undefined) expect(text).toBe(row.stdout);
  if (row.error === true || row.blocked === true) expect([ok, text]).toEqual([false, text]);
});

test('the environment is that of the command, and its values are scrubbed in any encoding', async () => {
  const value = 'words of no known form';
  const printed = `printf '%s,' "$NOTE" {{.x}}; printf %s "$NOTE" | base64; printf %s "$PWD"`;
  const root = temporaryFolder();
  const { text } = await run({ template: printed, args: { x: 'x' }, env: { NOTE: value } }, root);
  expect(text).toBe(`[REDACTED],x,[REDACTED]\n${root}`);
});

test('processes of a command end at its time limit', async () => {
  const root = temporaryFolder();
  const template = '(sleep 1.5; touch PWNED) & sleep 30';
  const { ok, text } = await run({ template, args: {}, timeout_seconds: 1 }, root);
  expect([ok, text]).toEqual([false, expect.stringContaining('ended after 1000 ms. Ask from_template for less work')]);
  expect(existsSync(join(root, 'PWNED'))).toBe(false);
});
