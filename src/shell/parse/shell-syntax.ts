import * as unbash from 'unbash';

/** Any node of the syntax tree of a shell text. */
export type ShellNode = unbash.SyntaxNode;
/** A parsed text, or the text of one substitution in it. */
export type ShellScript = unbash.ParsedScript;
/** A program call: assignments, words, redirections. */
export type ShellCommand = unbash.Command;
/** One stage of a pipe. */
export type ShellStage = unbash.CommandNode;
export type ShellFunction = unbash.Function;
/** `NAME=value`, before a command or as an argument. */
export type ShellAssignment = unbash.Assignment;
/** A redirection, here-document or here-string. */
export type ShellRedirection = unbash.Redirection;
/** One source word. */
export type ShellWord = unbash.Word;
/** A piece of a word: text, quotes, an expansion, a pattern. */
export type ShellWordPart = unbash.WordPart;
/** `${…}`. */
export type ShellParameter = unbash.ParameterExpansionPart;

/** Parses Bash source into a syntax tree. The `errors` of each script list its syntax errors. */
export function parseShell(source: string): ShellScript {
  return unbash.parse(source);
}

/** Calls `visit` once for each direct child of a syntax node. */
export function visitChildren(node: ShellNode, visit: (child: ShellNode) => void): void {
  unbash.forEachChild(node, visit);
}

/**
 * Whether a syntax tree contains syntax of Bash that another shell accepts with a different effect: `[[` and `((` start
 * programs there, `$'…'` may end elsewhere, `&>` starts a background command.
 */
export function needsBash(node: ShellNode): boolean {
  if (/^(?:TestCommand|ArithmeticCommand|AnsiCQuoted)$/.test(node.type)) return true;
  let isNeeded = node.type === 'Redirect' && node.operator.startsWith('&');
  visitChildren(node, (child) => {
    isNeeded ||= needsBash(child);
  });
  return isNeeded;
}
