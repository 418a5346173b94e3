#!/usr/bin/env node
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createToolkit } from './index.js';

const usage = `Usage:
  toolwright list [--root DIR]                    names and descriptions of the tools
  toolwright call NAME 'JSON INPUT' [--root DIR]  one call; exits 1 when the result is not ok

--root is the folder that tools work in (default: the current one). Calls run without asking,
because you typed them; safety rules and confinement to the folder hold.`;

// Whoever reads the answer, such as `head`, may have seen enough.
process.stdout.on('error', () => process.exit());
process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { root: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    const [command, name, input = '{}'] = positionals;
    if (values.help === true || command === undefined)
      return print(usage, command === undefined && values.help !== true ? 2 : 0);
    const root = resolve(values.root ?? '.');
    if (command === 'list') return await list(root);
    if (command === 'call' && name !== undefined) return await call(root, name, input);
    return complain(
      command === 'call' ? 'call needs the name of a tool' : `unknown command ${JSON.stringify(command)}`,
    );
  } catch (problem) {
    return complain(problem instanceof Error ? problem.message : String(problem));
  }
}

async function list(root: string): Promise<number> {
  await using toolkit = createToolkit({ root });
  for (const { name, description } of toolkit.definitions()) print(`${name.padEnd(14)} ${description}`);
  return 0;
}

async function call(root: string, name: string, input: string): Promise<number> {
  await using toolkit = createToolkit({ root, permissions: 'bypassPermissions' });
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const { results } = await toolkit.execute([{ id: 'call_1', name, input }], { signal: stop.signal });
  const [result] = results;
  print(result?.output ?? '');
  return result?.ok === true ? 0 : 1;
}

function print(text: string, code = 0): number {
  process.stdout.write(`${text}\n`);
  return code;
}

function complain(problem: string): number {
  process.stderr.write(`toolwright: ${problem}\n\n${usage}\n`);
  return 2;
}
