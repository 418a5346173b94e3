import { renamesPrograms, replacesInput } from './changes-shell-state.js';
import { type ExpansionScope, expandWord, readNested } from './expand-word.js';
import type { InnerCommand } from './inner-command.js';
import { isOpenHereDocument, readRedirection, readWords } from './read-words.js';
import type { ReadingBudget } from './reading-budget.js';
import { forked, insideLoop, lineScope, type ReadingScope, surroundings } from './reading-scope.js';
import {
  isEndless,
  type ShellCommand,
  type ShellFunction,
  type ShellNode,
  type ShellRedirection,
  type ShellScript,
  type ShellStage,
  type ShellStatement,
  type ShellWord,
  visitChildren,
} from './shell-syntax.js';
import { computedWord, literalWord, programName, type SimpleCommand } from './simple-command.js';
import { likelyOutputOf } from './static-output.js';
import { unwrapCommand } from './unwrap-command.js';
import { keepAssignments, withAssignments, withoutPositional, withPositional } from './variables.js';

const startingPrograms = /^(?:.*(?:COMMAND|PAGER|EDITOR|ASKPASS|BROWSER)|GIT_SSH|GIT_EXTERNAL_DIFF|VISUAL)$/;
const maxTextWords = 50;

/**
 * Walks the syntax tree of a command line and of every text inside it that a shell will read, and hands the simple
 * commands to the budget.
 */
export class CommandReader {
  readonly #budget: ReadingBudget;

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  /** Reads a whole command line. */
  readLine(text: string): void {
    this.#readText(text, lineScope(text));
  }

  #readText(text: string, scope: ReadingScope): void {
    const script = this.#budget.parse(text);
    if (script) this.#readScript(script, { ...scope, source: text });
  }

  #readScript(script: ShellScript, scope: ReadingScope): void {
    if (!this.#budget.mayGoTo(scope.depth)) return;
    if (scope.substituted && !this.#budget.takeText(script.source?.length ?? 0)) return;
    const mistake = script.errors?.[0];
    if (mistake && !scope.guessed) this.#budget.doubt(mistake.message);
    let inner = { ...scope, source: script.source ?? scope.source };
    for (const statement of script.commands) {
      const start = this.#budget.commands.length;
      this.#readStatement(statement, inner);
      const taken = this.#budget.commands.slice(start).findLast(replacesInput);
      if (taken)
        inner = {
          ...inner,
          input: { commands: taken.redirections.flatMap((each) => each.target?.runs ?? []), text: undefined },
        };
    }
  }

  #readSubstitution(script: ShellScript, scope: ReadingScope): readonly SimpleCommand[] {
    const { commands } = this.#budget;
    const start = commands.length;
    const variables = new Map(scope.variables);
    this.#readScript(script, { ...scope, depth: scope.depth + 1, substituted: true, background: false, variables });
    return commands.slice(start);
  }

  #readStatement(statement: ShellStatement, scope: ReadingScope): void {
    if (this.#budget.exhausted) return;
    this.#readNode(statement.command, statement.background ? forked(scope) : scope);
  }

  #readNode(node: ShellNode, scope: ReadingScope): void {
    switch (node.type) {
      case 'Command':
        this.#readCommand(node, scope);
        break;
      case 'Pipeline':
        this.#readPipeline(node.commands, scope);
        break;
      case 'Statement':
        this.#readStatement(node, scope);
        break;
      case 'Function':
        this.#readFunction(node, scope);
        break;
      case 'Subshell':
        this.#readChildren(node, { ...scope, variables: new Map(scope.variables) });
        break;
      case 'Redirected':
        this.#readRedirected(node, scope);
        break;
      case 'For':
      case 'Select':
        this.#readLoop(node.name.value, node.wordlist ?? [], node.body, scope);
        break;
      case 'While':
        this.#readChildren(node, insideLoop({ kind: 'conditional' }, scope));
        break;
      case 'ArithmeticFor':
        this.#readChildren(node, insideLoop({ kind: isEndless(node) ? 'endless' : 'counted' }, scope));
        break;
      case 'Coproc':
        this.#readChildren(node, forked(scope));
        break;
      case 'TestCommand':
      case 'ArithmeticCommand':
        this.#readExpression(node, scope);
        break;
      case 'Word':
        readNested(node, this.#expansion(scope));
        break;
      default:
        this.#readChildren(node, scope);
    }
  }

  #readChildren(node: ShellNode, scope: ReadingScope): void {
    const of = (child: ShellNode) => (node.type === 'While' ? { ...scope, condition: child === node.clause } : scope);
    visitChildren(node, (child) => this.#readNode(child, of(child)));
  }

  #readExpression(node: ShellNode, scope: ReadingScope): void {
    readNested(node, this.#expansion(scope));
    const program = literalWord(node.type === 'TestCommand' ? '[[' : '((');
    const argv = [program, computedWord(this.#textOf(node, scope))];
    this.#push({ argv, assignments: [], redirections: [] }, node, scope);
  }

  #readPipeline(stages: readonly ShellStage[], scope: ReadingScope): void {
    const { commands } = this.#budget;
    let input = scope.input;
    for (const stage of stages) {
      if (this.#budget.exhausted) return;
      const start = commands.length;
      const piped = scope.piped || stages.length > 1;
      this.#readNode(stage, { ...scope, piped, input, variables: new Map(scope.variables) });
      const started = commands.slice(start);
      const printed = likelyOutputOf(started.filter((command) => command.substituted === scope.substituted));
      input = { commands: [...input.commands, ...started], text: printed };
    }
  }

  #readFunction(node: ShellFunction, scope: ReadingScope): void {
    const name = node.name.value;
    scope.definitions.set(name, node);
    this.#readNode(node.body, {
      ...scope,
      functions: [...scope.functions, name],
      variables: withoutPositional(scope.variables),
    });
  }

  #callFunction(command: SimpleCommand, scope: ReadingScope): void {
    const name = command.argv[0]?.value ?? '';
    const node = scope.definitions.get(name);
    if (!node || (command.argv.length === 1 && !scope.piped) || scope.functions.includes(name)) return;
    const variables = withPositional(scope.variables, command.argv.slice(1));
    this.#readNode(node.body, { ...scope, depth: scope.depth + 1, variables, functions: [...scope.functions, name] });
  }

  #readRedirected(node: Extract<ShellNode, { type: 'Redirected' }>, scope: ReadingScope): void {
    const redirections = node.redirects.map((each) => readRedirection(each, this.#expansion(scope)));
    this.#checkHereDocuments(node.redirects, scope);
    this.#push({ argv: [], assignments: [], redirections }, node, scope);
    const body = redirections.findLast((each) => each.body !== undefined)?.body;
    const sources = redirections.flatMap((each) => (each.operator === '<' ? (each.target?.runs ?? []) : []));
    const input = { commands: [...scope.input.commands, ...sources], text: body ?? scope.input.text };
    this.#readNode(node.command, { ...scope, input });
  }

  #readLoop(name: string, wordlist: readonly ShellWord[], body: ShellNode, scope: ReadingScope): void {
    const words = wordlist.flatMap((word) => expandWord(word, this.#expansion(scope)));
    scope.variables.set(
      name,
      words.length === 1 ? words : [{ ...computedWord(''), runs: words.flatMap((word) => word.runs) }],
    );
    this.#readNode(body, insideLoop({ kind: 'counted' }, scope));
  }

  #readCommand(node: ShellCommand, scope: ReadingScope): void {
    this.#checkHereDocuments(node.redirects, scope);
    const command = this.#push(readWords(node, this.#expansion(scope)), node, scope);
    if (!command) return;
    keepAssignments(command, scope.variables);
    if (renamesPrograms(command))
      this.#budget.problems.push({ category: 'computed', text: 'it gives programs other names' });
    this.#readInside(command, scope);
    this.#callFunction(command, scope);
  }

  #checkHereDocuments(redirects: readonly ShellRedirection[], scope: ReadingScope): void {
    if (!scope.guessed && redirects.some(isOpenHereDocument)) this.#budget.doubt('a here-document does not end');
  }

  #readInside(command: SimpleCommand, scope: ReadingScope): void {
    const wrapper = programName(command.argv[0]);
    const variables = withAssignments(scope.variables, command.assignments);
    const started: ReadingScope = { ...scope, depth: scope.depth + 1, wrapper, input: command.input, variables };
    for (const { name, value } of command.assignments) {
      if (startingPrograms.test(name) && value.value !== '') this.#readText(value.value, { ...started, guessed: true });
    }
    for (const inner of unwrapCommand(command)) this.#readInner(inner, command, started);
  }

  #readInner(inner: InnerCommand, outer: SimpleCommand, scope: ReadingScope): void {
    if (!this.#budget.mayGoTo(scope.depth)) return;
    if (inner.kind === 'script') {
      const [zeroth, ...positional] = inner.positional;
      this.#readText(inner.text, { ...scope, variables: withPositional(scope.variables, positional, zeroth) });
      return;
    }
    const guessed = scope.guessed || inner.guessed;
    const words = inner.words.slice(0, maxTextWords).map((word) => word.text);
    const same = { ...outer, assignments: [], wrapper: scope.wrapper, guessed };
    const command: SimpleCommand = { ...same, argv: inner.words, text: words.join(' ') };
    if (this.#budget.push(command)) this.#readInside(command, { ...scope, guessed });
  }

  #push(
    words: Pick<SimpleCommand, 'argv' | 'assignments' | 'redirections'>,
    node: ShellNode,
    scope: ReadingScope,
  ): SimpleCommand | undefined {
    const command = { ...words, ...surroundings(scope), text: this.#textOf(node, scope) };
    return this.#budget.push(command) ? command : undefined;
  }

  #textOf(node: ShellNode, scope: ReadingScope): string {
    return scope.source.slice(node.pos, node.end);
  }

  #expansion(scope: ReadingScope): ExpansionScope {
    return {
      variables: scope.variables,
      insideFunction: scope.functions.length > 0 && !scope.variables.has('@'),
      nesting: 0,
      budget: this.#budget,
      readScript: (script) => this.#readSubstitution(script, scope),
    };
  }
}
