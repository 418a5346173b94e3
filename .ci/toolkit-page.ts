import ts from 'typescript';
import { commentOf, oneLine } from './doc-comments.js';
import { entryFiles } from './entry-files.js';
import { page, table } from './markdown.js';
import { type SourceProgram, sourceProgram } from './source-program.js';

/** The groups of the options of `createToolkit` on the page; each option is in one group. */
const optionGroups: Readonly<Record<string, readonly string[]>> = {
  'The workspace': ['root', 'additionalRoots', 'relativePaths', 'files', 'mounts'],
  'Who may do what': ['permissions', 'policy', 'planMode', 'hooks', 'rateLimiter', 'scrubber'],
  'Commands and the web': ['shell', 'sandbox', 'web'],
  'What the program supplies': ['hosts', 'features', 'mcp', 'toolResolver', 'registryFor'],
  'How calls run': ['limits', 'concurrency', 'retry', 'deadLetters', 'timers'],
  'What the program hears': ['onEvent', 'onFileChange', 'onAnnounce'],
  'Turns that wait for an answer elsewhere': ['suspensionSecret', 'suspensionTtlMs'],
};

const memberGroups: Readonly<Record<string, readonly string[]>> = {
  'For the request to the model': ['definitions', 'definitionsFor', 'instructions', 'mcpSummaries'],
  'Running calls': ['execute', 'call', 'decide', 'resume'],
  'Plans and todos': ['planQueue', 'planQueueOf', 'runPlan', 'clearPlan', 'todos'],
  'Parts of it': ['registry', 'files', 'tasks', 'subagents', 'limits', 'fileChanges', 'openIn', 'scrub', 'mayVisit'],
  'Sessions, and the end': [
    'sessions',
    'endSession',
    'leftovers',
    'leftCommands',
    'drainNotifications',
    'attach',
    'dispose',
  ],
};

/** The text above the members of a group. */
const memberNotes: Readonly<Record<string, string>> = {
  'Running calls':
    'What goes in and what comes out, in a loop: [a model of your own](../getting-started.md#a-model-of-your-own). The fields of what comes out: [results](#results).',
};

/** The purpose of each entry of the package. */
const purposes: Readonly<Record<string, string>> = {
  toolwright: 'the toolkit, its parts and the tools; every type that these mention',
  'toolwright/core': 'tools of your own without the built-in ones: a registry and the way of a call',
  'toolwright/files': 'file systems: the confined disk, files in memory or in a store, PDF and images',
  'toolwright/web': 'pages as Markdown, the client for the public web, search services',
  'toolwright/permissions': 'rules and modes, permissions around others, checks of rules and commands',
  'toolwright/policy': 'checks of rules and descriptions; the risk of tools in other words',
  'toolwright/guards':
    'guards against loops and clashing agents; the ledger of calls; rate limits and suspensions of several processes',
  'toolwright/tools': 'the factory of each built-in tool, and what the factories need',
  'toolwright/anthropic': '[the API of Anthropic](adapters.md)',
  'toolwright/openai': '[the APIs of OpenAI](adapters.md)',
  'toolwright/gemini': '[the API of Gemini](adapters.md)',
  'toolwright/ai-sdk': '[tools for the AI SDK](adapters.md)',
  'toolwright/openai-agents': '[tools for OpenAI Agents](adapters.md)',
  'toolwright/langchain': '[tools for LangChain](adapters.md)',
  'toolwright/claude-agent': '[a server for the Claude Agent SDK](adapters.md)',
  'toolwright/schema': 'the schema of a tool in the subset of JSON Schema that a provider takes',
  'toolwright/mcp': 'MCP servers as a source of tools',
  'toolwright/mcp-server': 'a toolkit as an MCP server',
  'toolwright/agents': 'subagents, teams and sessions in this process',
  'toolwright/sandbox': 'sandboxes for commands',
  'toolwright/remote': 'files and commands of another machine',
  'toolwright/managed': '[what an installation with many agents and users keeps](../guides/managed.md)',
  'toolwright/extras/browser': '[using web pages in a browser](../guides/extras/browser.md)',
  'toolwright/extras/cron': '[scheduled jobs and a heartbeat](../guides/extras/cron.md)',
  'toolwright/extras/canvas': '[showing pages to people](../guides/extras/canvas.md)',
  'toolwright/extras/gateway': '[administering the program that runs the agents](../guides/extras/gateway.md)',
  'toolwright/extras/image': '[making and looking at images](../guides/extras/image.md)',
  'toolwright/extras/process': '[managing what a session has running](../guides/extras/process.md)',
  'toolwright/extras/message': '[sending messages](../guides/extras/message.md)',
  'toolwright/extras/nodes': '[using devices that connect](../guides/extras/nodes.md)',
  'toolwright/extras/skills': '[skills: instructions in folders](../guides/extras/skills.md)',
  'toolwright/extras/tts': '[speaking a text](../guides/extras/tts.md)',
  'toolwright/testing': 'fakes, faults and records for tests; what an implementation of each port must do',
};

/** docs/reference/toolkit.md. Throws if an option, a member or an entry is in no group. */
export function toolkitPage(program: SourceProgram = sourceProgram()): string {
  return new ToolkitPage(program).text();
}

/** An option: a property of an interface, or of the table of kinds from which the interface is derived. */
type Option = ts.PropertySignature | ts.PropertyAssignment;

/** A type with members that a page can show. */
type Shown = ts.InterfaceDeclaration | ts.ClassDeclaration;

class ToolkitPage {
  readonly #program: SourceProgram;
  /**
   * The types that have a section, each with the option or member that refers to it. Writing a table adds the types
   * that it mentions.
   */
  readonly #sections = new Map<ts.Symbol, string>();
  readonly #written = new Set<ts.Symbol>();

  constructor(program: SourceProgram) {
    this.#program = program;
  }

  text(): string {
    const exported = this.#program.exportsOf('toolwright');
    const typeOf = (name: string, from = exported) => {
      const symbol = from.get(name)?.symbol;
      if (symbol === undefined) throw new Error(`the entry does not export ${name}`);
      return symbol;
    };
    const options = this.#optionGroups(typeOf('ToolkitOptions'));
    this.#sections.set(typeOf('PermissionsOptions'), 'createPermissions');
    this.#sections.set(typeOf('McpManagerOptions', this.#program.exportsOf('toolwright/mcp')), 'new McpManager');
    const nested = this.#nested();
    const members = this.#memberGroups(typeOf('Toolkit'));
    const turns = ['TurnOptions', 'ExecuteTurnOptions', 'CallOptions'].map((name) => this.#table(typeOf(name), 'own'));
    return page(
      'The toolkit',
      'What `createToolkit` takes, what it gives, and what to import from where. `root` is the only option that is required; the [guides](../getting-started.md) show the others at work.',
      '## Options',
      ...options,
      '## Options inside options',
      ...nested,
      '## Members',
      "What `const toolkit = createToolkit({ root })` holds. Where a caller may be named, the default is `{ sessionId: 'default' }`.",
      ...members,
      '## Options of a turn',
      'What `toolkit.execute`, `call`, `resume`, `runPlan` and the methods of `toolkit.files` take besides their input.',
      turns[0] ?? '',
      'For `execute` and `call`, besides:',
      turns[1] ?? '',
      'For `call` alone, which takes no `approvals`:',
      turns[2] ?? '',
      ...this.#nested(),
      '## Results',
      'What `execute`, `resume` and `runPlan` come to, and what answers each call, as `call` does: a `ToolCallResult` is a `ToolCallSuccess` or a `ToolCallFailure`. [The pipeline](../pipeline.md#results) has both in one table.',
      ...['ToolRun', 'SuspendedRun', 'ToolCallSuccess', 'ToolCallFailure'].flatMap((name) => {
        const type = typeOf(name);
        return [`### ${name}`, commentOf(type.declarations?.[0] as ts.Node), this.#fields(type)];
      }),
      ...this.#nested((type) => this.#fields(type)),
      '## What to import from where',
      table(
        ['entry', 'for'],
        this.#entries().map((entry) => [`\`${entry}\``, purposes[entry] ?? '']),
      ),
      '### Functions and classes by entry',
      this.#entries()
        .map((entry) => `- \`${entry}\`: ${this.#values(entry)}`)
        .join('\n'),
    );
  }

  #entries(): readonly string[] {
    const entries = [...entryFiles.keys()];
    assertSame('an entry', entries, Object.keys(purposes));
    return Object.keys(purposes);
  }

  #values(entry: string): string {
    const values = [...this.#program.exportsOf(entry)].flatMap(([name, { isType, deprecated }]) =>
      isType || deprecated !== undefined ? [] : name,
    );
    return values
      .sort((left, right) => left.localeCompare(right, 'en'))
      .map((name) => `\`${name}\``)
      .join(', ');
  }

  #optionGroups(type: ts.Symbol): readonly string[] {
    const options = this.#optionsOf(type);
    assertSame('an option', [...options.keys()], Object.values(optionGroups).flat());
    return Object.entries(optionGroups).flatMap(([title, names]) => [
      `### ${title}`,
      this.#rows(names.map((name) => [name, options.get(name) as Option])),
    ]);
  }

  /** A section for each type that a table mentions, and for the types that these sections mention. */
  #nested(show = (type: ts.Symbol) => this.#table(type)): readonly string[] {
    const parts: string[] = [];
    for (const [type, from] of this.#sections) {
      if (this.#written.has(type)) continue;
      this.#written.add(type);
      const comment = commentOf(type.declarations?.[0] as ts.Node);
      parts.push(`### ${type.name}`, [`\`${from}\`.`, comment].join(' '), show(type));
    }
    return parts;
  }

  /** Inherited members come first, or are omitted. */
  #table(type: ts.Symbol, which: 'own' | 'all' = 'all'): string {
    const isOwn = (option: ts.Node) => type.declarations?.includes(option.parent as ts.Declaration) === true;
    const options = [...this.#optionsOf(type)];
    const own = options.filter(([, option]) => isOwn(option));
    return this.#rows(which === 'own' ? own : [...options.filter((one) => !own.includes(one)), ...own], type.name);
  }

  #rows(options: readonly (readonly [string, Option])[], of = ''): string {
    const rows = options.map(([name, option]) => {
      const { meaning, whenMissing } = readComment(commentOf(option));
      return [
        `\`${name}\``,
        this.#typeOf(option, of === '' ? name : `${of}.${name}`),
        ts.isPropertySignature(option) && option.questionToken === undefined ? 'required' : whenMissing,
        meaning,
      ];
    });
    return table(['option', 'type', 'default', 'what it does'], rows);
  }

  /** The fields of a type that the package returns. */
  #fields(type: ts.Symbol): string {
    const rows = [...this.#optionsOf(type)].map(([name, field]) => [
      `\`${name}${ts.isPropertySignature(field) && field.questionToken === undefined ? '' : '?'}\``,
      this.#typeOf(field, name),
      commentOf(field),
    ]);
    return table(['field', 'type', 'what it is'], rows);
  }

  #optionsOf(type: ts.Symbol): ReadonlyMap<string, Option> {
    const { checker } = this.#program;
    const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(type));
    return new Map(
      properties.flatMap(({ name, declarations = [] }) =>
        declarations.filter((one) => this.#isOption(one)).map((one) => [name, one] as const),
      ),
    );
  }

  #isOption(node: ts.Declaration): node is Option {
    return (
      ts.isPropertySignature(node) ||
      (ts.isPropertyAssignment(node) &&
        this.#program.checker.getTypeAtLocation(node.initializer).getProperty('type') !== undefined)
    );
  }

  /**
   * The type as written in an interface or beside a kind, with links; otherwise the type that the compiler infers for a
   * kind.
   */
  #typeOf(option: Option, from: string): string {
    if (ts.isPropertySignature(option)) return this.#type(option.type, from);
    const { initializer } = option;
    if (ts.isAsExpression(initializer) && ts.isTypeReferenceNode(initializer.type))
      return this.#type(initializer.type.typeArguments?.[0], from);
    const { checker } = this.#program;
    const kind = checker.getTypeAtLocation(initializer);
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(kind.getProperty('type') as ts.Symbol));
    return checker
      .typeToString(type)
      .split(' | ')
      .map((part) => `\`${plain(part).replace(/^Readonly<(.*)>$/, '$1')}\``)
      .join(' or ');
  }

  /** A type as code, each member of a union separately, with links to descriptions. */
  #type(node: ts.TypeNode | undefined, from: string): string {
    if (node === undefined) return '';
    if (ts.isParenthesizedTypeNode(node)) return this.#type(node.type, from);
    if (ts.isUnionTypeNode(node))
      return node.types
        .filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword)
        .map((part) => this.#type(part, from))
        .join(' or ');
    const symbol = ts.isTypeReferenceNode(node) ? this.#symbolOf(node.typeName) : undefined;
    const alias = symbol?.declarations?.find(ts.isTypeAliasDeclaration)?.type;
    // A named union is shown by its members, which say more than its name.
    if (alias !== undefined && ts.isUnionTypeNode(alias)) return this.#type(alias, from);
    const [target] = this.#lead(node, from).flatMap((one) => this.#targetOf(one) ?? []);
    const text = `\`${plain(oneLine(node)).replace(/^Readonly<(.*)>$/, '$1')}\``;
    return target === undefined ? text : `[${text}](${target})`;
  }

  #symbolOf(name: ts.Node): ts.Symbol | undefined {
    const { checker } = this.#program;
    const symbol = checker.getSymbolAtLocation(name);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  #targetOf(symbol: ts.Symbol): string | undefined {
    if (symbol.name === 'LimitOverrides') return 'limits.md';
    if (this.#sections.has(symbol)) return `#${symbol.name.toLowerCase()}`;
    const isPort = symbol.declarations?.some((one) => one.getSourceFile().fileName.includes('/src/ports/')) === true;
    return isPort ? `ports.md#${symbol.name.toLowerCase()}` : undefined;
  }

  /**
   * The types of the package in the type of an option, also inside a list or a record. Each type that has properties
   * and no methods is a set of options, and gets a section.
   */
  #lead(node: ts.Node, from: string): readonly ts.Symbol[] {
    if (ts.isFunctionTypeNode(node)) return [];
    const symbol = ts.isTypeReferenceNode(node) ? this.#symbolOf(node.typeName) : undefined;
    if (symbol === undefined || symbol.declarations === undefined) {
      const found: ts.Symbol[] = [];
      ts.forEachChild(node, (child) => void found.push(...this.#lead(child, from)));
      return found;
    }
    const declared = symbol.declarations.find(ts.isInterfaceDeclaration);
    const isSet = declared !== undefined && ![...this.#membersOf(symbol).values()].flat().some(ts.isMethodSignature);
    if (isSet && !this.#sections.has(symbol)) this.#sections.set(symbol, from);
    return [symbol];
  }

  #memberGroups(type: ts.Symbol): readonly string[] {
    const members = this.#membersOf(type);
    assertSame('a member', [...members.keys()], Object.values(memberGroups).flat());
    const parts = [...members].flatMap(([name, declarations]) => {
      const part = declarations.map((one) => this.#partOf(one)).find((symbol) => symbol !== undefined);
      return part === undefined ? [] : [`### toolkit.${name}`, list([...this.#membersOf(part).values()].flat())];
    });
    return [
      ...Object.entries(memberGroups).flatMap(([title, names]) => [
        `### ${title}`,
        ...(memberNotes[title] === undefined ? [] : [memberNotes[title]]),
        list(names.flatMap((name) => members.get(name) ?? [])),
      ]),
      ...parts,
    ];
  }

  /** The type of a member that has methods of its own. */
  #partOf(member: ts.Declaration): ts.Symbol | undefined {
    if (!ts.isPropertySignature(member) || member.type === undefined || !ts.isTypeReferenceNode(member.type))
      return undefined;
    const symbol = this.#symbolOf(member.type.typeName);
    const isShown = (one: ts.Declaration): one is Shown => ts.isInterfaceDeclaration(one) || ts.isClassDeclaration(one);
    return symbol?.declarations?.some(isShown) ? symbol : undefined;
  }

  /** The public members of a type by name, each with all its signatures. */
  #membersOf(type: ts.Symbol): ReadonlyMap<string, readonly ts.Declaration[]> {
    const { checker } = this.#program;
    const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(type));
    return new Map(
      properties.flatMap(({ name, declarations = [] }) => {
        const isPrivate = declarations.some((one) => {
          const named = ts.getNameOfDeclaration(one);
          return named !== undefined && ts.isPrivateIdentifier(named);
        });
        const signatures = declarations.filter((one) => !ts.isMethodDeclaration(one) || one.body === undefined);
        return isPrivate ? [] : [[name, signatures.length > 0 ? signatures : declarations] as const];
      }),
    );
  }
}

/** A list of members: each with its signature and the first sentence of its comment. */
function list(members: readonly ts.Declaration[]): string {
  return members.map((member) => `- \`${signatureOf(member)}\`: ${readComment(commentOf(member)).meaning}`).join('\n');
}

function signatureOf(member: ts.Declaration): string {
  const name = ts.getNameOfDeclaration(member)?.getText() ?? '';
  const typeOf = ({ type }: { readonly type?: ts.TypeNode | undefined }) =>
    type === undefined ? '' : `: ${oneLine(type)}`;
  if (!ts.isMethodSignature(member) && !ts.isMethodDeclaration(member))
    return plain(`${name}${typeOf(member as ts.PropertySignature)}`);
  const given = member.parameters.map((one) => {
    const isOptional = one.questionToken !== undefined || one.initializer !== undefined;
    return `${one.dotDotDotToken ? '...' : ''}${one.name.getText()}${isOptional ? '?' : ''}${typeOf(one)}`;
  });
  const generic = member.typeParameters?.map(oneLine).join(', ');
  return plain(`${name}${generic === undefined ? '' : `<${generic}>`}(${given.join(', ')})${typeOf(member)}`);
}

/** A type without the words that do not matter to callers. */
function plain(text: string): string {
  return text
    .replaceAll('readonly ', '')
    .replaceAll(/(\?: [^;,(){}]*) \| undefined/g, '$1')
    .replaceAll(/;? \}/g, ' }');
}

/** A comment for a table: its first sentence, and the text after `Default`. */
function readComment(comment: string): { readonly meaning: string; readonly whenMissing: string } {
  const sentences = comment.split(/(?<=\.)\s+(?=[A-Z`'])/);
  const isDefault = (sentence: string) => sentence.startsWith('Default');
  const [meaning = ''] = sentences.filter((sentence) => !isDefault(sentence));
  const [whenMissing = ''] = sentences.filter(isDefault);
  return { meaning, whenMissing: whenMissing.replace(/^Default:? /, '').replace(/\.$/, '') };
}

function assertSame(what: string, there: readonly string[], named: readonly string[]): void {
  const missing = there.filter((name) => !named.includes(name));
  const stale = named.filter((name) => !there.includes(name));
  if (missing.length > 0) throw new Error(`.ci/toolkit-page.ts does not place ${missing.join(', ')}: ${what}`);
  if (stale.length > 0) throw new Error(`.ci/toolkit-page.ts names ${stale.join(', ')}, which is no longer ${what}`);
}
