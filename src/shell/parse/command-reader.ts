import type { Arguments } from '../programs/arguments.js';
import { computedWord, literalWord } from '../programs/command-words.js';
import { type ExpansionScope, expandWord, readNested } from './expand-word.js';
import { evaluatesCode, type InnerCommand, innerCommands, isEvaluable } from './inner-commands.js';
import { passedWords, readCall } from './passed-words.js';
import { isOpenHereDocument, readRedirection, readWords } from './read-words.js';
import type { ReadingBudget } from './reading-budget.js';
import { forked, lineScope, type ReadingScope, receiving } from './reading-scope.js';
import {
  type ShellCommand,
  type ShellFunction,
  type ShellNode,
  type ShellRedirection,
  type ShellScript,
  type ShellStage,
  visitChildren,
} from './shell-syntax.js';
import type { CommandRedirection, CommandWord, ReadingProblem, SimpleCommand } from './simple-command.js';
import { influentialVariable, setVariables, variableCommand } from './variable-roles.js';
import { Variables } from './variables.js';

/** Arithmetic, or a parameter expansion with an index or an operation. */
const evaluates = /\$(?:\(\(|\[|\{\W?\w*[^\w}])/;
/** A `[[ ]]` test of files or strings in plain words. The shell may evaluate the operands of other tests. */
const plainTest = /^\[\[(?!.*\s-(?:eq|ne|[lg][te]|[vR])\s)[\w\s./:=!&|@%+,~*?-]*\]\]$/s;
/** Builtins that set the variables named by their arguments. */
const assigning = /^(?:declare|typeset|local|export|readonly|read|mapfile|readarray|getopts|printf)$/;
/** A variable name, or the options of `getopts`, without escapes or expansions. A value may follow the name. */
const plainName = /^["']?[\w:]+(?:["']?$|\+?=)/;
const maxTextWords = 50;
const evaluated: ReadingProblem = {
  category: 'computed',
  text: 'the shell evaluates a part of the line twice',
};

/** Walks the syntax trees of a line and of all shell text nested in it. Adds each simple command to the budget. */
export class CommandReader {
  readonly #budget: ReadingBudget;
  readonly #variables: Variables;
  /** The commands that replace the standard input of the shell itself (`exec < file`). */
  readonly #replaced: SimpleCommand[] = [];

  constructor(budget: ReadingBudget, line: string) {
    this.#budget = budget;
    this.#variables = new Variables(line);
  }

  /** Reads a whole command line. */
  readLine(text: string): void {
    this.#readText(text, lineScope(text));
    if (evaluatesCode(this.#budget.commands, this.#budget.expressions)) this.#budget.problems.push(evaluated);
    if (this.#budget.usesCat && this.#budget.commands.some(({ functions }) => functions.includes('cat')))
      this.#budget.problems.push({ category: 'computed', text: 'it defines a function that replaces cat' });
    if (this.#variables.isDoubtful)
      this.#budget.problems.push({
        category: 'computed',
        text: 'it sets variables whose names are only known at run time',
      });
  }

  #readText(text: string, scope: ReadingScope): void {
    const script = this.#budget.parse(text);
    if (script) this.#readScript(script, { ...scope, source: text });
  }

  #readScript(script: ShellScript, scope: ReadingScope): void {
    if (!this.#budget.mayGoTo(scope.depth)) return;
    if (scope.substituted && !this.#budget.takeText(script.source?.length ?? 0)) return;
    const mistake = script.errors?.[0];
    if (mistake) this.#budget.doubt(mistake.message);
    const inner = { ...scope, source: script.source ?? scope.source };
    for (const statement of script.commands) this.#readNode(statement, inner);
  }

  #readSubstitution(script: ShellScript, scope: ReadingScope): readonly SimpleCommand[] {
    const start = this.#budget.commands.length;
    if (this.#budget.take('substitution'))
      this.#readScript(script, { ...scope, depth: scope.depth + 1, substituted: true, background: false });
    return this.#budget.commands.slice(start);
  }

  #readNode(node: ShellNode, scope: ReadingScope): void {
    if (this.#budget.exhausted) return;
    switch (node.type) {
      case 'Command':
        this.#readCommand(node, scope);
        break;
      case 'Pipeline':
        this.#readPipeline(node.commands, scope);
        break;
      case 'Statement':
        this.#readNode(node.command, node.background ? forked(scope) : scope);
        break;
      case 'Function':
        this.#readFunction(node, scope);
        break;
      case 'Redirected':
        this.#readRedirected(node, scope);
        break;
      case 'For':
      case 'Select':
        this.#readLoop(node, scope);
        break;
      case 'While':
        this.#readChildren(node, { ...scope, repeated: true });
        break;
      case 'ArithmeticFor':
        this.#pushExpression(node, scope);
        this.#readChildren(node, { ...scope, repeated: true });
        break;
      case 'Coproc':
        if (node.name) this.#setByShell(node.name.value, computedWord(node.name.text), node, scope);
        this.#readChildren(node, receiving(forked(scope)));
        break;
      case 'TestCommand':
      case 'ArithmeticCommand':
        this.#readExpression(node, scope);
        break;
      case 'Word':
        readNested(node, this.#expansion(scope));
        if (evaluates.test(this.#textOf(node, scope))) this.#pushExpression(node, scope);
        break;
      default:
        this.#readChildren(node, scope);
    }
  }

  #readChildren(node: ShellNode, scope: ReadingScope): void {
    visitChildren(node, (child) => this.#readNode(child, scope));
  }

  #readExpression(node: ShellNode, scope: ReadingScope): void {
    readNested(node, this.#expansion(scope));
    this.#pushExpression(node, scope);
  }

  /** Records an expression. Its variables may contain substitutions, which the shell also runs. */
  #pushExpression(node: ShellNode, scope: ReadingScope): void {
    const text = this.#textOf(node, scope);
    const words = plainTest.test(text) ? text.slice(2, -2).trim().split(/\s+/).map(literalWord) : [computedWord(text)];
    const argv = [literalWord(node.type === 'TestCommand' ? '[[' : '(('), ...words];
    this.#budget.expressions.push(text);
    this.#push({ argv, assignments: [], redirections: [] }, node, scope);
  }

  #readPipeline(stages: readonly ShellStage[], scope: ReadingScope): void {
    let { input } = scope;
    for (const stage of stages) {
      const start = this.#budget.commands.length;
      this.#readNode(stage, { ...scope, input });
      input = [...input, ...this.#budget.commands.slice(start)];
    }
  }

  #readFunction(node: ShellFunction, scope: ReadingScope): void {
    this.#readNode(node.body, { ...scope, functions: [...scope.functions, node.name.value] });
  }

  #readRedirected(node: Extract<ShellNode, { type: 'Redirected' }>, scope: ReadingScope): void {
    const redirections = node.redirects.map((each) => readRedirection(each, this.#expansion(scope)));
    this.#checkHereDocuments(node.redirects);
    const group = this.#push({ argv: [], assignments: [], redirections }, node, scope);
    const isRead = redirections.some(({ operator }) => operator.startsWith('<'));
    const sources = redirections.flatMap(({ target }) => target?.runs ?? []);
    this.#readNode(node.command, {
      ...scope,
      input: [...scope.input, ...sources, ...(isRead && group ? [group] : [])],
    });
  }

  #readLoop(node: Extract<ShellNode, { type: 'For' | 'Select' }>, scope: ReadingScope): void {
    const { body, wordlist = [] } = node;
    const name = node.name.value;
    const words = wordlist.flatMap((word) => expandWord(word, this.#expansion(scope)));
    const only = words.length === 1 ? words[0] : undefined;
    const value = only ?? { ...computedWord(`$${name}`), runs: words.flatMap((word) => word.runs) };
    this.#variables.set(name, value);
    this.#setByShell(name, value, node, scope);
    if (wordlist.some(({ text }) => evaluates.test(text))) this.#pushExpression(node, scope);
    this.#readNode(body, { ...scope, repeated: true });
  }

  /** Records an influential variable that the shell sets without an assignment (`for`, `coproc`). */
  #setByShell(name: string, value: CommandWord, node: ShellNode, scope: ReadingScope): void {
    if (influentialVariable.test(name))
      this.#push({ argv: [], assignments: [{ name, value }], redirections: [] }, node, scope);
  }

  #readCommand(node: ShellCommand, scope: ReadingScope): void {
    this.#checkHereDocuments(node.redirects);
    const command = this.#push(readWords(node, this.#expansion(scope)), node, scope);
    // The shell evaluates the values assigned to some of its own variables (`RANDOM`).
    for (const { name, value } of command?.assignments ?? [])
      if (influentialVariable.test(name) && (value.kind !== 'literal' || isEvaluable(value)))
        this.#budget.expressions.push(value.text);
    if (command) this.#readInside(command, scope);
  }

  #checkHereDocuments(redirects: readonly ShellRedirection[]): void {
    for (const each of redirects) {
      if (each.type === 'Redirect') continue;
      this.#budget.take('hereDocument');
      if (isOpenHereDocument(each)) this.#budget.doubt('a here-document does not end');
    }
  }

  #readInside(command: SimpleCommand, scope: ReadingScope): void {
    const { read } = command;
    this.#variables.keep(command, read.name);
    if (renamesPrograms(command, read.name))
      this.#budget.problems.push({ category: 'computed', text: 'it renames programs' });
    if (read.name === 'exec' && command.redirections.some(({ operator }) => operator.startsWith('<')))
      this.#replaced.push(command);
    if (read.program?.traits.has('evaluates')) this.#readEvaluated(command, read);
    const passed = passedWords(read) ?? command.passed;
    const isRead = command.redirections.some(({ operator }) => operator.startsWith('<'));
    const input = isRead ? [...command.input, command] : command.input;
    const inner = { ...scope, depth: scope.depth + 1, wrapper: command, at: undefined, passed, input };
    for (const each of setVariables(command)) {
      const text = variableCommand(each);
      if (/^PS\d$/.test(each.name)) this.#budget.expressions.push(each.name);
      if (text !== undefined) this.#readText(text, { ...inner, passed: undefined });
    }
    for (const each of innerCommands(command)) this.#readInner(each, command, inner);
  }

  /** Records what a builtin evaluates: its words, and the variables that its words name. */
  #readEvaluated({ argv, text }: SimpleCommand, { name, options, values, unknown }: Arguments<CommandWord>): void {
    const named = values.filter(({ option }) => option === (name === 'printf' ? '-v' : undefined));
    if (assigning.test(name) && (unknown.length > 0 || !named.every(({ word }) => plainName.test(word.text))))
      this.#variables.obscure();
    if (argv.slice(1).some(isEvaluable)) this.#budget.problems.push(evaluated);
    // After a literal `NAME=`, the rest of a word is a value. This value is evaluated only with options such as `-i`.
    const isOpen = argv.some(({ kind, value }) => kind === 'computed' && !/^\w+\+?=/.test(value));
    const isNamed = assigning.test(name) && argv.some(({ value }) => influentialVariable.test(value));
    if (isOpen || isNamed || name === 'let' || options.has('-i') || unknown.length > 0)
      this.#budget.expressions.push(text);
  }

  #readInner(inner: InnerCommand, outer: SimpleCommand, scope: ReadingScope): void {
    if (!this.#budget.mayGoTo(scope.depth)) return;
    if (inner.kind === 'text') {
      this.#readText(inner.text, { ...scope, passed: scope.passed && { ...scope.passed, follow: false } });
      return;
    }
    const argv = inner.kind === 'words' ? inner.words : [computedWord(inner.text)];
    const { at } = inner;
    const text = argv
      .slice(0, maxTextWords)
      .map((word) => word.text)
      .join(' ');
    const { passed } = scope;
    const command = readCall({ ...outer, assignments: [], wrapper: outer, at, passed, argv, text });
    if (this.#budget.push(command) && inner.kind === 'words') this.#readInside(command, { ...scope, at });
  }

  #push(
    words: Pick<SimpleCommand, 'argv' | 'assignments' | 'redirections'>,
    node: ShellNode,
    scope: ReadingScope,
  ): SimpleCommand | undefined {
    const { source: _source, depth: _depth, ...kept } = scope;
    const input = [...scope.input, ...this.#replaced];
    const redirections = words.redirections.map((each) => fillTarget(each, scope));
    const command = readCall({ ...words, ...kept, redirections, input, text: this.#textOf(node, scope) });
    return this.#budget.push(command) ? command : undefined;
  }

  #textOf(node: ShellNode, scope: ReadingScope): string {
    return scope.source.slice(node.pos, node.end);
  }

  #expansion(scope: ReadingScope): ExpansionScope {
    return {
      variables: this.#variables,
      nesting: 0,
      budget: this.#budget,
      readScript: (script, isWritten) => this.#readSubstitution(script, isWritten ? receiving(scope) : scope),
    };
  }
}

/** Whether a command renames programs for the rest of the line: `alias x=…`, `hash -p`, `BASH_CMDS[x]=…`. */
function renamesPrograms({ argv, assignments }: SimpleCommand, name: string): boolean {
  if (name === 'hash') return argv.some(({ value }) => /^-[a-zA-Z]*p/.test(value));
  if (name === 'alias') return argv.some(({ value }) => value.includes('='));
  return assignments.some((each) => /^BASH_(?:CMDS|ALIASES)$/.test(each.name));
}

/** Marks the target of a redirection as computed if a wrapper passes the file name at run time. */
function fillTarget(each: CommandRedirection, { passed }: ReadingScope): CommandRedirection {
  const { target } = each;
  const isPassed = target !== undefined && passed?.placeholder.test(target.value) === true;
  return isPassed ? { ...each, target: { ...target, kind: 'computed' } } : each;
}
