import type { ReadingBudget } from './reading-budget.js';
import {
  parseShell,
  type ShellArithmetic,
  type ShellNode,
  type ShellParameter,
  type ShellScript,
  type ShellSubstitution,
  type ShellWord,
  type ShellWordPart,
  visitChildren,
} from './shell-syntax.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';
import { splitBraces } from './split-braces.js';
import { locatedProgram, outputOf } from './static-output.js';
import { transformParameter } from './transform-parameter.js';
import { lookUp, type Variables } from './variables.js';
import { WordBuilder } from './word-builder.js';

const maxAlternatives = 64;
const maxBraceLength = 2_000;

/** What expanding a word needs to know of the shell around it. */
export interface ExpansionScope {
  readonly variables: Variables;
  readonly insideFunction: boolean;
  /** How many expansions stand around the word. */
  readonly nesting: number;
  readonly budget: ReadingBudget;
  /** Reads the commands of a substitution inside the word. */
  readonly readScript: (script: ShellScript) => readonly SimpleCommand[];
}

/**
 * Expands one word of the syntax tree as Bash would, as far as that is known beforehand: braces, quoting, variables
 * of the same line, blanks.
 */
export function expandWord(word: ShellWord, scope: ExpansionScope): readonly CommandWord[] {
  const parts = word.parts;
  if (!parts) return [{ text: word.text, value: word.value, kind: 'literal', runs: [] }];
  if (scope.budget.exhausted) return [{ text: word.text, value: '', kind: 'computed', runs: [] }];
  const alternatives = braceAlternatives(word.text, parts, word.pos);
  const size = alternatives?.reduce((sum, each) => sum + each.length, 0) ?? 0;
  if (alternatives && scope.budget.takeWords(alternatives.length) && scope.budget.takeText(size))
    return alternatives.flatMap((text) => expandText(text, scope)).map((each) => ({ ...each, text: word.text }));
  const builder = new WordBuilder(word.text);
  for (const part of parts) addPart(part, false, builder, scope);
  return builder.finish();
}

/** Expands a word whose blanks do not split it: the value of an assignment, the target of a redirection. */
export function expandWhole(word: ShellWord, scope: ExpansionScope): CommandWord {
  const words = expandWord(word, scope);
  return joinedWord(word.text, words);
}

function joinedWord(text: string, words: readonly CommandWord[]): CommandWord {
  if (words.length === 1 && words[0]) return words[0];
  const kind = words.some((each) => each.kind === 'computed') ? 'computed' : 'resolved';
  return { text, value: words.map((each) => each.value).join(' '), kind, runs: words.flatMap((each) => each.runs) };
}

/** Joins the parts of a here-document body into one word. */
export function expandBody(
  text: string,
  parts: readonly ShellWordPart[] | undefined,
  scope: ExpansionScope,
): CommandWord {
  if (!parts) return { text, value: text, kind: 'literal', runs: [] };
  const builder = new WordBuilder(text);
  builder.add('', 'literal');
  for (const part of parts) addPart(part, true, builder, scope);
  return builder.finish()[0] ?? { text, value: '', kind: 'computed', runs: [] };
}

/** Reads every substitution below a node whose own value does not matter (arithmetic, tests, patterns). */
export function readNested(node: ShellNode, scope: ExpansionScope): readonly SimpleCommand[] {
  const inner = expanding.has(node.type) ? deeper(scope) : scope;
  const found: SimpleCommand[] = [];
  if (!inner) return found;
  visitChildren(node, (child) => {
    if (child.type === 'Script') found.push(...inner.readScript(child));
    else found.push(...readNested(child, inner));
  });
  return found;
}

const expanding = new Set([
  'ArithmeticExpansion',
  'ArithmeticWord',
  'ParameterExpansion',
  'ExtendedGlob',
  'BraceExpansion',
  'Word',
]);

function deeper(scope: ExpansionScope): ExpansionScope | undefined {
  return scope.budget.mayNest(scope.nesting + 1) ? { ...scope, nesting: scope.nesting + 1 } : undefined;
}

function braceAlternatives(
  text: string,
  parts: readonly ShellWordPart[],
  start: number,
): readonly string[] | undefined {
  const brace = parts.find((part) => part.type === 'BraceExpansion');
  if (!brace || text.length > maxBraceLength) return undefined;
  const middle = splitBraces(brace.text, maxAlternatives);
  if (!middle) return undefined;
  const before = text.slice(0, brace.pos - start);
  const after = text.slice(brace.end - start);
  return middle.map((alternative) => before + alternative + after);
}

function expandText(text: string, scope: ExpansionScope): readonly CommandWord[] {
  const statement = parseShell(`: ${text}`).commands[0]?.command;
  if (statement?.type !== 'Command') return [{ text, value: text, kind: 'computed', runs: [] }];
  const words = statement.args.flatMap((each) => (each.type === 'Word' ? expandWord(each, scope) : []));
  return words.map((each) => (each.kind === 'computed' ? each : { ...each, kind: 'resolved' }));
}

function addPart(part: ShellWordPart, quoted: boolean, builder: WordBuilder, scope: ExpansionScope): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      builder.add(part.value, 'literal');
      break;
    case 'AnsiCQuoted':
      builder.add(part.value, 'resolved');
      break;
    case 'DoubleQuoted':
    case 'LocaleString':
      if (!holdsList(part.parts)) builder.add('', part.type === 'LocaleString' ? 'resolved' : 'literal');
      for (const child of part.parts) addPart(child, true, builder, scope);
      break;
    case 'Glob':
      builder.add(part.value, 'glob');
      break;
    case 'ExtendedGlob':
    case 'BraceExpansion':
      builder.runs(readNested(part, scope));
      builder.add(part.text, part.type === 'ExtendedGlob' ? 'glob' : 'computed');
      break;
    case 'SimpleExpansion':
      addParameter(part.text.slice(1), undefined, quoted, builder, scope);
      break;
    case 'ParameterExpansion':
      addParameter(part.parameter, part, quoted, builder, scope);
      break;
    case 'CommandExpansion':
      addCommand(part, quoted, builder, scope);
      break;
    case 'ProcessSubstitution':
      if (part.script) builder.runs(scope.readScript(part.script));
      builder.add('', 'computed');
      break;
    case 'ArithmeticExpansion':
      addArithmetic(part, builder, scope);
  }
}

function addArithmetic(part: ShellArithmetic, builder: WordBuilder, scope: ExpansionScope): void {
  builder.runs(readNested(part, scope));
  const numeral = part.expression?.type === 'ArithmeticWord' ? part.expression.value : '';
  const known = /^\d{1,9}$/.test(numeral);
  builder.add(known ? numeral : '', known ? 'resolved' : 'computed');
}

function holdsList(parts: readonly ShellWordPart[]): boolean {
  const only = parts.length === 1 ? parts[0] : undefined;
  return only?.type === 'SimpleExpansion'
    ? only.text === '$@'
    : only?.type === 'ParameterExpansion' && only.index?.value === '@';
}

function addParameter(
  name: string,
  part: ShellParameter | undefined,
  quoted: boolean,
  builder: WordBuilder,
  scope: ExpansionScope,
): void {
  const operation = part?.operation;
  if (part?.prefix === '!' && operation === undefined) {
    addIndirect(name, quoted, builder, scope);
    return;
  }
  const known = lookUp(name, scope.variables, scope.insideFunction);
  if (operation?.type === 'Default' && (known === undefined || operation.operator.endsWith('+'))) {
    const inner = deeper(scope);
    if (!inner) return;
    const words = expandWord(operation.operand, inner);
    builder.addList(words, !quoted);
    if (operation.operator.endsWith('=')) scope.variables.set(name, [joinedWord(operation.operand.text, words)]);
    return;
  }
  if (part) builder.runs(readNested(part, scope));
  const index = part?.index?.value;
  if (known === undefined) builder.add('', 'computed');
  else if (name === '@' || name === '*' || index === '@' || index === '*')
    builder.addList(known, !quoted || name === '*');
  else addValue(known[Number(index ?? 0)], part, quoted, builder, scope.variables.get('IFS')?.[0]);
}

/** `${!name}`: the variable that another one names. */
function addIndirect(name: string, quoted: boolean, builder: WordBuilder, scope: ExpansionScope): void {
  const target = lookUp(name, scope.variables, scope.insideFunction)?.[0];
  const known =
    target && target.kind !== 'computed' ? lookUp(target.value, scope.variables, scope.insideFunction) : undefined;
  if (known === undefined) builder.add('', 'computed');
  else addValue(known[0], undefined, quoted, builder, scope.variables.get('IFS')?.[0]);
}

function addValue(
  word: CommandWord | undefined,
  part: ShellParameter | undefined,
  quoted: boolean,
  builder: WordBuilder,
  separators: CommandWord | undefined,
): void {
  const written = word?.value ?? '';
  const value = part && part.operation?.type !== 'Default' ? transformParameter(written, part) : written;
  builder.runs(word?.runs ?? []);
  const unknown = value === undefined || word?.kind === 'computed' || (!quoted && separators?.kind === 'computed');
  const kind = unknown ? 'computed' : 'resolved';
  if (quoted) builder.add(value ?? '', kind);
  else builder.addSplit(value ?? '', kind, separators?.value);
}

function addCommand(part: ShellSubstitution, quoted: boolean, builder: WordBuilder, scope: ExpansionScope): void {
  const commands = part.script ? scope.readScript(part.script) : [];
  builder.runs(commands);
  const output = outputOf(commands)?.replace(/\n+$/, '');
  if (output === undefined) builder.add(locatedProgram(commands) ?? '', 'computed');
  else if (quoted) builder.add(output, 'resolved');
  else builder.addSplit(output, 'resolved');
}
