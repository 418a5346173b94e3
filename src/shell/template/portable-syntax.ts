import { type ShellNode, visitChildren } from '../parse/shell-syntax.js';

/** Syntax that every POSIX shell reads as bash does. */
const portable = new Set([
  ...['Script', 'CompoundList', 'Statement', 'AndOr', 'Pipeline', 'Negation', 'Command', 'Assignment', 'Redirected'],
  ...['If', 'Elif', 'For', 'While', 'Case', 'CaseItem', 'Subshell', 'BraceGroup', 'Function'],
  ...['Redirect', 'FileDescriptor', 'HereDoc', 'HereDocDelimiter', 'HereDocBody'],
  ...['Word', 'Literal', 'Glob', 'SingleQuoted', 'DoubleQuoted', 'SimpleExpansion'],
  ...['ParameterExpansion', 'ArithmeticExpansion', 'CommandExpansion'],
]);
const plainParameter = /^\$\{#?\w+(?:(?::?[-=+?]|%%?|##?)[^'"\\`{}$]*)?\}$/;
const plainArithmetic = /^\$\(\([\w\s$+*/%-]*\)\)$/;
const plainDelimiter = /^(?:\w+|'\w+'|"\w+")$/;

/**
 * The first piece of syntax for which another shell or parser may find a different end than bash. Such a parser would
 * read the following text differently. Undefined if all syntax is portable.
 */
export function unportable(node: ShellNode, source: string): string | undefined {
  const inner = node.type === 'Script' ? (node.source ?? source) : source;
  const text = 'text' in node ? node.text : inner.slice(node.pos, node.end);
  if (!isPortable(node, text)) return text;
  // These nodes have been checked as a whole.
  if (node.type === 'ParameterExpansion' || node.type === 'ArithmeticExpansion') return undefined;
  let found: string | undefined;
  visitChildren(node, (child) => {
    found ??= unportable(child, inner);
  });
  return found;
}

function isPortable(node: ShellNode, text: string): boolean {
  switch (node.type) {
    case 'ParameterExpansion':
      return plainParameter.test(text);
    case 'ArithmeticExpansion':
      return plainArithmetic.test(text);
    case 'CommandExpansion':
      return text.startsWith('$(');
    case 'Function':
      return !text.startsWith('function');
    case 'Redirect':
      return !node.operator.startsWith('&');
    case 'HereDoc': {
      // A backslash before a line break joins lines, also at the end of the text.
      const isJoined = node.delimiter?.quoted !== true && /[\\`]/.test(node.body.text);
      return node.closing !== undefined && plainDelimiter.test(node.delimiter?.text ?? '') && !isJoined;
    }
    default:
      return portable.has(node.type);
  }
}
