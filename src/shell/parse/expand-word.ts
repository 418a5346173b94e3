import { computedWord, type WordKind } from '../programs/command-words.js';
import type { ReadingBudget } from './reading-budget.js';
import {
  type ShellNode,
  type ShellParameter,
  type ShellScript,
  type ShellWord,
  type ShellWordPart,
  visitChildren,
} from './shell-syntax.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';
import type { Variables } from './variables.js';

/** The context of an expansion. */
export interface ExpansionScope {
  readonly variables: Variables;
  /** Number of expansions around the word. */
  readonly nesting: number;
  readonly budget: ReadingBudget;
  /**
   * Reads the commands of a substitution inside the word; `isWritten` is true if other commands of the line write the
   * input of the substitution (`>(…)`).
   */
  readonly readScript: (script: ShellScript, isWritten?: boolean) => readonly SimpleCommand[];
}

/**
 * Expands one word as far as the line itself defines its value: quoting, escapes, plain variables. Patterns for file
 * names stay patterns (`glob`). Everything else is `computed`, known only at run time.
 */
export function expandWord(word: ShellWord, scope: ExpansionScope): readonly CommandWord[] {
  const parts = word.parts;
  if (!parts) {
    const kind = isJoined(word) ? 'computed' : 'literal';
    return [{ text: word.text, value: word.value, kind, runs: [] }];
  }
  if (scope.budget.exhausted) return [{ text: word.text, value: '', kind: 'computed', runs: [] }];
  return expandParts(word.text, parts, false, scope);
}

function expandParts(
  text: string,
  parts: readonly ShellWordPart[],
  quoted: boolean,
  scope: ExpansionScope,
): readonly CommandWord[] {
  const builder = new WordBuilder(text);
  if (quoted) builder.add('', 'literal');
  for (const part of parts) addPart(part, quoted, builder, scope);
  return builder.finish();
}

/** Expands a word that the shell does not split at blanks: the value of an assignment, the target of a redirection. */
export function expandWhole(word: ShellWord, scope: ExpansionScope): CommandWord {
  const words = expandWord(word, scope);
  if (words.length === 1 && words[0]) return words[0];
  const kind = words.some((each) => each.kind === 'computed') ? 'computed' : 'resolved';
  const value = words.map((each) => each.value).join(' ');
  return { text: word.text, value, kind, runs: words.flatMap((each) => each.runs) };
}

/** Joins the parts of a here-document body into one word. */
export function expandBody(
  text: string,
  parts: readonly ShellWordPart[] | undefined,
  scope: ExpansionScope,
): CommandWord {
  if (!parts) return { text, value: text, kind: 'literal', runs: [] };
  return expandParts(text, parts, true, scope)[0] ?? { text, value: '', kind: 'computed', runs: [] };
}

const expanding = new Set([
  'ArithmeticExpansion',
  'ArithmeticWord',
  'ParameterExpansion',
  'ExtendedGlob',
  'BraceExpansion',
  'Word',
]);

/**
 * Reads every substitution inside a node whose own value does not matter (arithmetic, tests, patterns). Returns the
 * commands of the substitutions.
 */
export function readNested(node: ShellNode, scope: ExpansionScope): readonly SimpleCommand[] {
  const nesting = scope.nesting + (expanding.has(node.type) ? 1 : 0);
  if (!scope.budget.mayGoTo(nesting)) return [];
  const inner = { ...scope, nesting };
  const found: SimpleCommand[] = [];
  visitChildren(node, (child) => {
    found.push(...(child.type === 'Script' ? inner.readScript(child) : readNested(child, inner)));
  });
  return found;
}

/** Whether a word contains a line continuation and, once its lines are joined, an expansion. */
function isJoined({ text, value }: { readonly text: string; readonly value: string }): boolean {
  return text.includes('\\\n') && /[$`{[]/.test(value);
}

function addPart(part: ShellWordPart, quoted: boolean, builder: WordBuilder, scope: ExpansionScope): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      builder.add(part.value, part.type === 'Literal' && isJoined(part) ? 'computed' : 'literal');
      break;
    case 'AnsiCQuoted':
      builder.add(part.value, 'resolved');
      break;
    case 'DoubleQuoted':
    case 'LocaleString':
      builder.add('', part.type === 'LocaleString' ? 'resolved' : 'literal');
      for (const child of part.parts) addPart(child, true, builder, scope);
      break;
    case 'Glob':
      // The shell expands variables in a bracket expression before it matches file names.
      builder.runs(readNested(part, scope));
      builder.add(part.value, part.parts?.every(isLiteral) === false ? 'computed' : 'glob');
      break;
    case 'SimpleExpansion':
      addVariable(part.text.slice(1), quoted, builder, scope);
      break;
    case 'ParameterExpansion':
      addParameter(part, quoted, builder, scope);
      break;
    default:
      if (part.type === 'ArithmeticExpansion') scope.budget.expressions.push(part.text);
      addSubstitution(part, quoted, builder, scope);
  }
}

function addSubstitution(part: ShellWordPart, quoted: boolean, builder: WordBuilder, scope: ExpansionScope): void {
  const runs =
    'script' in part && part.script
      ? scope.readScript(part.script, part.text.startsWith('>('))
      : readNested(part, scope);
  builder.runs(runs);
  const printed = quoted && part.type === 'CommandExpansion' ? printedBody(runs, scope) : undefined;
  builder.add(printed ?? '', printed === undefined ? 'computed' : 'literal');
}

/** The text that `cat` prints from a plain here-document; undefined for any other command. */
function printedBody([command, ...others]: readonly SimpleCommand[], { budget }: ExpansionScope): string | undefined {
  const [redirection, ...more] = command?.redirections ?? [];
  const { operator, target, body = '\\' } = redirection ?? {};
  // Bash 3.2 ends the substitution at the first unpaired `)`. It can fail to pair parentheses across quotes or line
  // ends.
  const isPaired = !/[()]/.test(body.replaceAll(/\([^()'"`\n]*\)/g, ''));
  const isPlain = /^<<<?$/.test(operator ?? '') && target?.kind === 'literal' && !body.includes('\\') && isPaired;
  const isCat = command?.text.startsWith('cat') && command.argv.length === 1 && command.argv[0]?.value === 'cat';
  if (!isPlain || !isCat || others.length > 0 || more.length > 0) return undefined;
  budget.usesCat = true;
  return body.replace(/\n+$/, '');
}

function isLiteral({ type }: ShellNode): boolean {
  return type === 'Literal' || type === 'SingleQuoted';
}

function addParameter(part: ShellParameter, quoted: boolean, builder: WordBuilder, scope: ExpansionScope): void {
  if (scope.budget.take('expansion')) builder.runs(readNested(part, scope));
  const evaluates = part.prefix === '!' || /^(?:Slice|Transform)$/.test(part.operation?.type ?? '');
  if (evaluates || part.index !== undefined) scope.budget.expressions.push(part.text);
  if (part.operation === undefined && part.prefix === undefined && part.index === undefined)
    addVariable(part.parameter, quoted, builder, scope);
  else {
    builder.runs(scope.variables.find(part.parameter)?.runs ?? []);
    builder.add('', 'computed');
    if (!/^:?=$/.test(part.operation?.operator ?? '')) return;
    scope.budget.expressions.push(part.text);
    if (part.prefix !== undefined || part.index !== undefined) scope.variables.obscure();
    scope.variables.set(part.parameter, computedWord(part.text));
  }
}

function addVariable(name: string, quoted: boolean, builder: WordBuilder, scope: ExpansionScope): void {
  const known = scope.variables.find(name);
  const isSplit = !quoted && scope.variables.find('IFS')?.value !== ' ';
  const kind: WordKind = known === undefined || known.kind === 'computed' || isSplit ? 'computed' : 'resolved';
  builder.runs(known?.runs ?? []);
  if (quoted) builder.add(known?.value ?? '', kind);
  else builder.addSplit(known?.value ?? '', kind);
}

const severity: Record<WordKind, number> = { literal: 0, glob: 1, resolved: 2, computed: 3 };

const maxExpanded = 20_000;

/** Builds the resulting words from the pieces of one source word. */
class WordBuilder {
  readonly #text: string;
  readonly #words: CommandWord[] = [];
  readonly #runs: SimpleCommand[] = [];
  #value = '';
  #kind: WordKind = 'literal';
  #present = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Adds characters to the current word. Empty text also makes a word (`''`). */
  add(value: string, kind: WordKind): void {
    const tooLong = kind !== 'literal' && this.#value.length + value.length > maxExpanded;
    this.#value += tooLong ? '' : value;
    this.#present = true;
    this.mark(tooLong ? 'computed' : kind);
  }

  /** Adds the value of an unquoted expansion, which splits the word at blanks. */
  addSplit(value: string, kind: WordKind): void {
    this.mark(kind);
    value.split(/[ \t\n]+/).forEach((piece, index) => {
      if (index > 0) this.#flush(kind);
      if (piece !== '') this.add(piece, kind);
    });
  }

  /** Gives the word the kind `kind`, unless its kind is already less certain. */
  mark(kind: WordKind): void {
    if (severity[kind] > severity[this.#kind]) this.#kind = kind;
    if (kind === 'computed') this.#present = true;
  }

  /** Adds commands whose output is part of the word. */
  runs(commands: readonly SimpleCommand[]): void {
    this.#runs.push(...commands);
  }

  /** The finished words. An unquoted expansion that is known to be empty adds no word. */
  finish(): readonly CommandWord[] {
    this.#flush('literal');
    return this.#words;
  }

  #flush(next: WordKind): void {
    if (this.#present) this.#words.push({ text: this.#text, value: this.#value, kind: this.#kind, runs: this.#runs });
    this.#value = '';
    this.#kind = next;
    this.#present = false;
  }
}
