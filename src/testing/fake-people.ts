import { readAnswer } from '../access/read-answer.js';
import type { CallScope } from '../core/context.js';
import type { AskAnswer } from '../core/permission-question.js';
import { argumentMistake, kindThatCame } from '../core/support/argument-mistake.js';
import { isRecord } from '../core/support/is-record.js';
import { slipsOf } from '../core/support/near-names.js';
import { kindOf } from '../core/support/option-kinds.js';
import type { PermissionRequest } from '../host/permissions.js';
import type { UserAnswers, UserInput, UserQuestion } from '../host/planning/user-input.js';

/** A person who answers questions, and what was asked. */
export interface FakeUser extends UserInput {
  readonly asked: readonly UserQuestion[];
}

/** A person for `hosts.userInput` with an answer by the text of each question; what has none is skipped. */
export function fakeUser(answers: Readonly<Record<string, string>>): FakeUser {
  if (!kindOf.textsByName.holds(answers))
    throw argumentMistake(
      'fakeUser takes answers by question',
      kindThatCame(answers),
      "fakeUser({ 'Which?': 'This' })",
    );
  const asked: UserQuestion[] = [];
  return {
    asked,
    ask({ questions }): UserAnswers {
      asked.push(...questions);
      const texts = questions.map(({ question }) => question);
      const known = texts.filter((text) => Object.hasOwn(answers, text));
      return {
        answers: Object.fromEntries(known.map((text) => [text, answers[text] ?? ''])),
        skipped: texts.filter((text) => !known.includes(text)),
      };
    },
  };
}

/** Somebody who approves calls, and what they were asked about. */
export interface FakeApprover {
  (request: PermissionRequest, scope: CallScope): Promise<AskAnswer>;
  readonly asked: readonly PermissionRequest[];
}

/**
 * Somebody for `permissions.onAsk` who gives one answer to everything, answers by the name of the tool, answers from a
 * list in order, or answers as a function does. A tool without an answer is denied; a question after the end of the list
 * is denied with a message that says so. Throws a TypeError that lists the answers for one that is none.
 */
export function fakeApprover(
  answers:
    | AskAnswer
    | readonly AskAnswer[]
    | Readonly<Record<string, AskAnswer>>
    | ((request: PermissionRequest) => AskAnswer),
): FakeApprover {
  const asked: PermissionRequest[] = [];
  const answerTo = answererOf(answers);
  return Object.assign(
    async (request: PermissionRequest) => {
      asked.push(request);
      return answerTo(request, asked.length - 1);
    },
    { asked },
  );
}

function answererOf(
  answers: Parameters<typeof fakeApprover>[0],
): (request: PermissionRequest, index: number) => AskAnswer {
  const check = (answer: unknown, question: string) => void readAnswer(answer, `${question} in fakeApprover`);
  if (typeof answers === 'function') return answers;
  if (Array.isArray(answers)) {
    for (const [index, answer] of answers.entries()) check(answer, `question ${index + 1}`);
    return ({ tool }, index) =>
      answers[index] ?? { behavior: 'deny', message: pastTheEnd(answers.length, index, tool) };
  }
  // A slip in `behavior` would make a decision in full the answers for a tool of that name.
  if (!isRecord(answers) || Object.keys(answers).some((name) => slipsOf(name, ['behavior'], 2).length > 0)) {
    check(answers, 'every question');
    return () => answers as AskAnswer;
  }
  const byTool = new Map(Object.entries(answers as Readonly<Record<string, AskAnswer>>));
  for (const [tool, answer] of byTool) check(answer, tool);
  return ({ tool }) => byTool.get(tool) ?? 'deny';
}

function pastTheEnd(count: number, index: number, tool: string): string {
  return `fakeApprover has ${count} answers, and ${tool} asks question ${index + 1}: add an answer to its list.`;
}
