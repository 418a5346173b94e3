import { literalWord } from '../words/command-word.js';
import type { ShellTest, ShellWord } from './shell-syntax.js';
import type { CommandWord } from './simple-command.js';

/**
 * Operators that test files and texts. Those for numbers and variables are left out, because they evaluate their words.
 */
const plainTest = /^(?:-[a-hkprsuwxzGLNOSn]|-[no]t|-ef|[=!]?=|=~|[<>])$/;
const expansion = /[$`]|[<>]\(/;

/** The words of a `[[ … ]]` with its operators; undefined if the shell evaluates or expands one of them. */
export function testedWords(
  test: ShellTest,
  expand: (word: ShellWord) => readonly CommandWord[],
): readonly CommandWord[] | undefined {
  if (test.type === 'TestNot') return testedWords(test.operand, expand);
  if (test.type === 'TestGroup') return testedWords(test.expression, expand);
  if (test.type === 'TestLogical') {
    const each = test.operands.map((operand) => testedWords(operand, expand));
    return each.every((words) => words !== undefined) ? each.flat() : undefined;
  }
  const words = test.type === 'TestUnary' ? [test.operand] : [test.left, test.right];
  if (!plainTest.test(test.operator) || words.some(({ text }) => expansion.test(text))) return undefined;
  const operands = words.map(expand);
  return [...operands.slice(0, -1).flat(), literalWord(test.operator), ...operands.slice(-1).flat()];
}
