// Writes docs/reference/ from the code. With --check it writes nothing, and fails if a page is not up to date.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { toolErrors } from '../src/core/error.js';
import { defaultLimits } from '../src/core/limits.js';
import type { ToolDefinitionJson } from '../src/core/registry/tool-definitions.js';
import { stubSpawner } from '../src/testing/stub-spawner.js';
import { createToolkit } from '../src/toolkit/create-toolkit.js';
import { commonCosts } from './cost-page.js';
import { type DocumentedType, documentedProperties, documentedTypes, documentedUnion } from './doc-comments.js';
import { page, table } from './markdown.js';
import { toolkitPage } from './toolkit-page.js';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
const folder = new URL('../docs/reference/', import.meta.url);
const source = (path: string) => readFileSync(new URL(`../src/${path}`, import.meta.url), 'utf8');

const pages: Record<string, string> = {
  'cost.md': await costPage(),
  'errors.md': errorsPage(),
  'events.md': eventsPage(),
  'limits.md': limitsPage(),
  'ports.md': portsPage(),
  'toolkit.md': toolkitPage(),
  'tools.md': await toolsPage(),
};

mkdirSync(folder, { recursive: true });
const stale = Object.entries(pages).filter(([name, text]) => text !== read(name));
if (check && stale.length > 0) {
  console.error(`docs/reference is not up to date: ${stale.map(([name]) => name).join(', ')}. Run: npm run docs`);
  process.exit(1);
}
if (!check) for (const [name, text] of stale) writeFileSync(new URL(name, folder), text);

function read(name: string): string | undefined {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch {
    return undefined;
  }
}

async function costPage(): Promise<string> {
  const rows = (await commonCosts()).map(({ tool, what, tokens }) => [tool, what, String(tokens)]);
  return page(
    'What results cost',
    'Tokens of common results, as a model reads them, counted with the tokenizer `o200k_base` in the folder ' +
      "`/home/ann/project`. With `relativePaths: 'resolve'` the root is left out of the paths below it. What the " +
      'definitions of the tools cost is held by a test: those without hosts together at most 1,900, the 21 usual ones at ' +
      'most 2,750, each at most 300.',
    table(['tool', 'what came of it', 'tokens'], rows),
  );
}

function errorsPage(): string {
  const code = readdirSync(new URL('../src/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== join('core', 'error.ts'))
    .map(source)
    .join('\n');
  const codes = documentedProperties(source('core/error.ts'), 'toolErrors');
  const rowsOf = (isAnswered: boolean) =>
    codes
      .filter(({ name }) => code.includes(`'${name}'`) === isAnswered)
      .map(({ name, comment }) => [
        `\`${name}\``,
        toolErrors[name as keyof typeof toolErrors].retryable ? 'yes' : 'no',
        comment,
      ]);
  const head = ['code', 'worth another try', 'meaning'];
  const others = rowsOf(false);
  return page(
    'Error codes',
    'The values of `result.error.code`; a tool of your own may use any other in snake_case. The code is for programs; the message beside it is for the model and ends with its next step. The retry stage repeats a call only where the code says that another try may succeed.',
    table(head, rowsOf(true)),
    ...(others.length === 0
      ? []
      : [
          '## For tools of your own',
          'Nothing in toolwright answers these; they are there for what your tools throw.',
          table(head, others),
        ]),
  );
}

function eventsPage(): string {
  const events = documentedUnion(source('core/event.ts'), 'ToolEvent').map(({ name, comment, fields }) => {
    const rows = fields.map(([field, type]) => [`\`${field}\``, `\`${type}\``]);
    return [`## ${name}`, comment, table(['field', 'type'], rows)].join('\n\n');
  });
  const progress = documentedTypes(source('tools/shell/bash.ts')).filter(({ name }) => name === 'BashProgress');
  return page(
    'Events',
    [
      'What `onEvent` hears: as an option of `createToolkit` every event of every session, as an option of `execute` those of one turn and of the background tasks that its session started. A listener that is passed twice hears each event once.',
      'Events are JSON-serialisable and scrubbed. A listener gets the caller that an event belongs to as its second argument; `mcp-update` and `rule-warning` belong to nobody. One that throws or rejects changes nothing, and nobody waits for it.',
      'A call that starts has `tool-start`, any number of `tool-progress` and `tool-retry`, `tool-end`; one that is refused has `tool-refused`. Either may be asked about before. Both end with one `tool-result`.',
    ].join('\n\n'),
    ...events,
    ...progress.map(typeSection),
  );
}

function limitsPage(): string {
  const groups = documentedProperties(source('core/limits.ts'), 'defaultLimits').map(
    ({ name, comment, properties }) => {
      const values: Readonly<Record<string, number>> = defaultLimits[name as keyof typeof defaultLimits];
      const rows = properties.map((limit) => [
        `\`${limit.name}\``,
        (values[limit.name] ?? Number.NaN).toLocaleString('en'),
        limit.comment,
      ]);
      return [`## ${name}`, comment, table(['limit', 'default', 'reason'], rows)].filter(Boolean).join('\n\n');
    },
  );
  return page(
    'Limits',
    'Every number of the library, overridden by `createToolkit({ limits: { group: { limit: value } } })`. Names that end in `Ms` are milliseconds, `Bytes` and `Chars` sizes, and those that begin with `max` counts where they end in neither.',
    ...groups,
  );
}

function portsPage(): string {
  const types = readdirSync(new URL('../src/ports/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((file) => documentedTypes(source(`ports/${file}`)));
  return page(
    'Ports',
    'What a host may supply in place of what toolwright brings, and the types of what goes in and out. `CallScope` says who asks (`caller`) and when to stop (`signal`).',
    ...types.map(typeSection),
  );
}

function typeSection({ name, comment, alias, members }: DocumentedType): string {
  const list = members
    .map((member) => `- \`${member.signature}\`${member.comment && `: ${member.comment}`}`)
    .join('\n');
  return [`## ${name}`, comment, alias === undefined ? list : `\`\`\`ts\ntype ${name} = ${alias};\n\`\`\``]
    .filter(Boolean)
    .join('\n\n');
}

async function toolsPage(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'toolwright-docs-'));
  const hosts = { subagents: stubSpawner() };
  const toolkit = createToolkit({
    root,
    hosts,
    features: { undo: true, tasks: true, applyPatch: true, offerAll: true },
  });
  const tools = toolkit
    .definitions()
    .map((definition) => toolSection(definition, toolkit.registry.get(definition.name)?.sideEffect ?? 'none'));
  await toolkit.dispose();
  rmSync(root, { recursive: true });
  return page(
    'Tools',
    'What a model is told of each built-in tool: its description and its input fields. UndoFile and UndoTurn are there ' +
      'with `features: { undo: true }`, TodoRead, TaskCreate, TaskGet, TaskUpdate and TaskList with ' +
      '`features: { tasks: true }`, Subagents with `hosts.subagents`, ApplyPatch with `features: { applyPatch: true }`.',
    ...tools,
  );
}

function toolSection({ name, description, inputSchema }: ToolDefinitionJson, sideEffect: string): string {
  const { properties = {}, required = [] } = inputSchema as {
    readonly properties?: Readonly<Record<string, FieldSchema>>;
    readonly required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([field, schema]) => [
    `\`${field}\`${required.includes(field) ? ' *' : ''}`,
    typeOf(schema),
    schema.description ?? '',
  ]);
  const fields = rows.length === 0 ? 'No fields.' : table(['field (* required)', 'type', 'meaning'], rows);
  return [`## ${name}`, description, `Side effect: ${sideEffect}.`, fields].join('\n\n');
}

interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
}

function typeOf({ type, enum: values, items, anyOf }: FieldSchema): string {
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`;
  return typeof type === 'object' ? type.join(' or ') : (type ?? 'anything');
}
