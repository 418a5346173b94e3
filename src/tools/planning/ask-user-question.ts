import type { output } from 'zod/v4/core';
import { planningNumbers } from '../../core/fixed-limits.js';
import { byName, flag, inputObject, list, optional, text, withRule, words } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { askHost, notConfigured } from '../../ports/ask-host.js';
import type { UserAnswers, UserInput, UserQuestion } from '../../ports/planning/user-input.js';
import { dependenciesOf } from '../support/factory-arguments.js';

const { maxQuestions, minOptions, maxOptions, maxHeaderChars, maxLineChars, maxTextChars, maxPageChars } =
  planningNumbers;

const input = lazily(() => {
  const option = inputObject({
    label: words(maxLineChars),
    description: words(maxTextChars),
    preview: optional(words(maxPageChars, 'How the option would look')),
  });
  const options = list(option, undefined, { minItems: minOptions, maxItems: maxOptions });
  const question = inputObject({
    question: words(maxTextChars),
    header: words(maxHeaderChars, `At most ${maxHeaderChars} characters`),
    options: withRule(options, (all) => areDistinct(all.map(({ label }) => label)), 'labels must differ'),
    multiSelect: optional(flag('Several may be chosen')),
  });
  const questions = list(question, undefined, { minItems: 1, maxItems: maxQuestions });
  return withRule(
    inputObject({
      questions: withRule(questions, (all) => areDistinct(all.map((one) => one.question)), 'questions must differ'),
      answers: optional(byName(text(), 'Answers that are known already, by question')),
    }),
    ({ questions, answers = {} }) =>
      Object.keys(answers).every((name) => questions.some((one) => one.question === name)),
    'each must name one of the questions',
    ['answers'],
  );
});

/** The dependencies of AskUserQuestion. */
export interface AskUserQuestionDependencies {
  /** If undefined, every call fails with `not_configured`. */
  readonly userInput: UserInput | undefined;
}

/** Asks the user each question that has no entry in `answers`. A permission decision can add entries to `answers`. */
export function askUserQuestionTool(dependencies: AskUserQuestionDependencies): Tool<output<ReturnType<typeof input>>> {
  const { userInput } = dependenciesOf('askUserQuestionTool', dependencies);
  return Tool.define('AskUserQuestion', {
    description:
      'Ask the user up to four questions that only they can answer, each with options. ' +
      'They may answer in words of their own.',
    input: input(),
    examples: [
      {
        questions: [
          {
            question: 'Which database?',
            header: 'Database',
            options: [
              { label: 'SQLite', description: 'One file' },
              { label: 'Postgres', description: 'A server' },
            ],
          },
        ],
      },
    ],
    sideEffect: 'none',
    idempotent: false,
    // The user can take any time to answer.
    timeoutMs: 0,
    // Later calls of the turn can depend on the answer, or ask questions too.
    footprint: () => ({ reads: 'nothing', writes: 'everything' }),
    title: ({ questions: [first] }) => `Ask: ${first?.question}`,
    preview: ({ questions }) => questions.map(({ question }) => question).join('\n'),
    async execute({ questions: given, answers: known = {} }, context): Promise<ToolResult> {
      const questions = given.map((one): UserQuestion => ({ ...one, multiSelect: one.multiSelect ?? false }));
      const open = questions.filter(({ question }) => !Object.hasOwn(known, question));
      if (open.length > 0 && userInput === undefined)
        throw notConfigured('userInput', 'Decide by yourself, and say what you assumed.');
      const { answers, skipped = [] } =
        open.length === 0 || userInput === undefined
          ? { answers: {} }
          : await askHost({ option: 'userInput', timeoutMs: 0, isUsable }, context, (scope) =>
              userInput.ask({ questions: open }, scope),
            );
      const said = questions.map((question) => answerTo(question, { ...answers, ...known }, skipped));
      return {
        output: said.map(({ line }) => line).join('\n'),
        metadata: {
          questions,
          answers: Object.fromEntries(said.flatMap(({ pair }) => (pair === undefined ? [] : [pair]))),
          skipped: said.flatMap(({ pair, question }) => (pair === undefined ? [question] : [])),
          ownWords: said.flatMap(({ isOwn, question }) => (isOwn ? [question] : [])),
        },
      };
    },
  });
}

function answerTo(
  { question, options, multiSelect }: UserQuestion,
  answers: UserAnswers['answers'],
  skipped: readonly string[],
) {
  const answer =
    Object.hasOwn(answers, question) && !skipped.includes(question) ? answers[question]?.trim() : undefined;
  if (!answer)
    return { question, line: `${question} -> not answered; decide by yourself`, pair: undefined, isOwn: false };
  const labels = options.map(({ label }) => label);
  const isOwn = !(multiSelect ? areLabels(answer, labels) : labels.includes(answer));
  return {
    question,
    line: `${question} -> ${answer}${isOwn ? ' (in their own words)' : ''}`,
    pair: [question, answer] as const,
    isOwn,
  };
}

/** Whether an answer consists of labels, each at most once, joined by `, `. A label may contain `, ` itself. */
function areLabels(answer: string, labels: readonly string[]): boolean {
  return labels.some(
    (label) =>
      answer === label ||
      (answer.startsWith(`${label}, `) &&
        areLabels(
          answer.slice(label.length + 2),
          labels.filter((other) => other !== label),
        )),
  );
}

function areDistinct(texts: readonly string[]): boolean {
  return (
    new Set(
      texts.map((one) =>
        one
          .normalize('NFKC')
          .replace(/[\s\p{Cf}]+/gu, '')
          .toLowerCase(),
      ),
    ).size === texts.length
  );
}

function isUsable(answer: UserAnswers): boolean {
  const { answers, skipped = [] } = (answer ?? {}) as Partial<UserAnswers>;
  if (typeof answers !== 'object' || answers === null || !Array.isArray(skipped)) return false;
  return Object.values(answers).every((said) => typeof said === 'string');
}
