#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ruleNames } from './core/builtin-tool-facts.js';
import { packageVersion } from './core/package-version.js';
import { traitsOf } from './core/tool-names.js';
import { createPermissions, createToolkit, type Tool, type Toolkit } from './index.js';
import { aesGcmBox, serveAdmin } from './managed/index.js';
import { serveMcp } from './mcp-server/index.js';
import { coversName, parseRule } from './permissions/rule.js';

const usage = `Usage:
  toolwright list [--root DIR]                    names and descriptions of the tools
  toolwright call NAME 'JSON INPUT' [--root DIR]  one call; exits 1 when the result is not ok
  toolwright --version                            the version of the package
  toolwright mcp [--root DIR] [--allow RULE]... [--port N]
                                                  serves the tools to an MCP client
  toolwright admin --database URL|FOLDER --port N --token-file FILE [--host HOST] [--root DIR]
                                                  serves the HTTP API of a managed installation

--root is the folder that tools work in (default: the current folder). The command "call" needs
no permission, because you typed them; safety rules and confinement to the folder still apply.

mcp uses standard input and output, or with --port HTTP on this machine (0: any port); the address
and the token are then written to standard error. The token is random unless TOOLWRIGHT_MCP_TOKEN
sets one. Only read-only file tools are offered. --allow 'Edit(src/**)' or --allow 'Bash(npm test)'
also offers the tools that the rule names, and allows calls that match the rule. Other calls of these
tools need the approval of a person, for which the client must support elicitation.

admin serves only this machine, unless --host names another address. The database is postgres://…
or a folder, which needs no database server. Each line of the token file has a token, its name and its
scopes; a token without scopes has every scope. TOOLWRIGHT_SECRET_KEY, 64 hexadecimal digits,
encrypts secrets; without it secrets are refused. Tests of custom tools run in --root.
/openapi.json lists the paths.`;

/** The options of each command besides --root. */
const optionsOf = new Map<string | undefined, readonly string[]>([
  ['mcp', ['allow', 'port']],
  ['admin', ['database', 'port', 'token-file', 'host']],
]);

// A reader of the output, such as `head`, may close the pipe early.
process.stdout.on('error', () => process.exit());
process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        root: { type: 'string' },
        allow: { type: 'string', multiple: true },
        port: { type: 'string' },
        database: { type: 'string' },
        'token-file': { type: 'string' },
        host: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    const { allow, port, database, host, 'token-file': tokenFile } = values;
    const [command, name, input = '{}'] = positionals;
    if (values.help === true || (command === undefined && values.version !== true))
      return print(usage, command === undefined && values.help !== true ? 2 : 0);
    if (values.version === true) return print(packageVersion);
    const root = resolve(values.root ?? '.');
    const isForOthers = (option: string) => option !== 'root' && !optionsOf.get(command)?.includes(option);
    if (Object.keys(values).some(isForOthers))
      return complain(
        '--allow is for mcp; --port is for mcp and admin; --database, --token-file and --host are for admin',
      );
    const [surplus] = positionals.slice(command === 'call' ? 3 : 1);
    if (command === 'mcp') {
      if (allow === undefined && surplus !== undefined) return complain('mcp takes rules only after --allow');
      // Several rules may follow one --allow.
      return await mcp(root, [...(allow ?? []), ...positionals.slice(1)], port);
    }
    if (surplus !== undefined && ['list', 'call', 'admin'].includes(command ?? ''))
      return complain(`${command}: unexpected argument ${JSON.stringify(surplus)}`);
    if (command === 'admin') return await admin(root, { database, port, tokenFile, host });
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
  if (result?.ok === false && result.error.code === 'unknown_tool')
    print('Run toolwright list for the names of the tools.');
  return result?.ok === true ? 0 : 1;
}

async function mcp(root: string, allow: readonly string[], port: string | undefined): Promise<number> {
  const permissions = createPermissions({ allow, autoAllow: 'low-risk', root });
  await using toolkit = createToolkit({ root, permissions });
  offerOnly(toolkit, allow);
  const token = process.env.TOOLWRIGHT_MCP_TOKEN ?? randomBytes(24).toString('base64url');
  const transport = port === undefined ? 'stdio' : { port: port === '' ? Number.NaN : Number(port), token };
  const serving = await serveMcp(toolkit, { transport });
  if (serving.url !== undefined) process.stderr.write(`${serving.url}\nAuthorization: Bearer ${token}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void serving.close());
  await serving.closed;
  await serving.close();
  return 0;
}

async function admin(
  root: string,
  given: Readonly<Record<'database' | 'port' | 'tokenFile' | 'host', string | undefined>>,
): Promise<number> {
  const { database, port, tokenFile, host } = given;
  if (database === undefined || port === undefined || tokenFile === undefined)
    return complain('admin needs --database, --port and --token-file');
  const tokens = await readFile(tokenFile, 'utf8');
  const key = process.env.TOOLWRIGHT_SECRET_KEY;
  const box = key === undefined ? undefined : aesGcmBox({ keys: { key: Buffer.from(key, 'hex') }, current: 'key' });
  await using toolkit = createToolkit({ root });
  const serving = await serveAdmin({
    database,
    port: port === '' ? Number.NaN : Number(port),
    host,
    tokens,
    box,
    toolkit,
  });
  process.stderr.write(`${serving.url}\n`);
  await new Promise<void>((resolve) => {
    // Not `once`: if this program has no listener left, the handler that kills running commands at a signal also ends
    // the process.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
  await serving.close();
  return 0;
}

/** Disables all tools except the read-only file tools and the tools that a rule names. */
function offerOnly({ registry }: Toolkit, allow: readonly string[]): void {
  const rules = allow.map(parseRule);
  const isNamed = (name: string) =>
    rules.some((rule) => {
      const isOfEdits = rule.tool === ruleNames.edit && rule.pattern !== undefined;
      const isEdited = isOfEdits && traitsOf({ tool: name }).edits === true;
      return isEdited || coversName(rule, { name, isCalled: (called) => registry.find(called)?.name === name });
    });
  const looks = ({ groups, sideEffect }: Tool) => groups.includes('fs') && sideEffect === 'none';
  const tools = [...registry.snapshot().values()].filter((tool) => !looks(tool) && !isNamed(tool.name));
  registry.disable(...tools.map(({ name }) => name));
}

function print(text: string, code = 0): number {
  process.stdout.write(`${text}\n`);
  return code;
}

function complain(problem: string): number {
  process.stderr.write(`toolwright: ${problem}\n\n${usage}\n`);
  return 2;
}
