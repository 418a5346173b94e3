import type { CallScope } from '../core/context.js';
import type { AskAnswer } from '../core/permission-question.js';
import { ToolRegistry } from '../core/registry/registry.js';
import { assertArgument, isRecord, kindOf } from '../core/support/check-values.js';
import { slipsOf } from '../core/support/near-names.js';
import { assertNames } from '../permissions/misspelt-names.js';
import { readAnswer } from '../ports/parse-decision.js';
import type { PermissionRequest } from '../ports/permissions.js';
import type { UserAnswers, UserInput, UserQuestion } from '../ports/planning/user-input.js';

/** A fake person who answers questions and records them. */
export interface FakeUser extends UserInput {
  readonly asked: readonly UserQuestion[];
}

/** A fake person for `hosts.userInput` with answers by question; questions without an answer are skipped. */
export function fakeUser(answers: Readonly<Record<string, string>>): FakeUser {
  const write = "fakeUser({ 'Which?': 'This' })";
  assertArgument('fakeUser takes answers by question', answers, kindOf.textsByName, write);
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

/** A fake approver of calls, which records the requests. */
export interface FakeApprover {
  (request: PermissionRequest, scope: CallScope): Promise<AskAnswer>;
  readonly asked: readonly PermissionRequest[];
}

/**
 * A fake approver for `permissions.onAsk`: one answer for all calls, answers by tool name, a list of answers in order,
 * or a function. A tool without an answer is denied; a call after the end of the list is denied with a message that
 * asks for another answer. For an invalid answer, throws a TypeError that lists the valid answers.
 */
export function fakeApprover(
  answers:
    | AskAnswer
    | readonly AskAnswer[]
    | Readonly<Record<string, AskAnswer>>
    | ((request: PermissionRequest) => AskAnswer),
): FakeApprover {
  const asked: PermissionRequest[] = [];
  const byQuestion = new Map(typeof answers === 'function' ? [] : questionsOf(answers));
  for (const [question, answer] of byQuestion) readAnswer(answer, `${question} in fakeApprover`);
  return Object.assign(
    async (request: PermissionRequest) => {
      asked.push(request);
      if (typeof answers === 'function') return answers(request);
      const questions = [request.tool, `question ${asked.length}`, 'every question'];
      const found = questions.map((question) => byQuestion.get(question)).find((answer) => answer !== undefined);
      if (found !== undefined || !Array.isArray(answers)) return found ?? 'deny';
      const message = `fakeApprover has ${answers.length} answers, and ${request.tool} asks question ${asked.length}: add an answer.`;
      return { behavior: 'deny' as const, message };
    },
    { asked },
  );
}

/**
 * Each answer with its question: the name of a tool, or a text such as `question 1`, which cannot be the name of a tool
 * because it contains a space.
 */
function questionsOf(
  answers: AskAnswer | readonly AskAnswer[] | Readonly<Record<string, AskAnswer>>,
): readonly (readonly [question: string, answer: AskAnswer])[] {
  if (Array.isArray(answers)) return answers.map((answer, index) => [`question ${index + 1}`, answer]);
  // Without this check, a decision with a misspelt `behavior` would be read as answers by tool name.
  const isByTool = (given: unknown): given is Readonly<Record<string, AskAnswer>> =>
    isRecord(given) && !Object.keys(given).some((name) => slipsOf(name, ['behavior'], 2).length > 0);
  if (isByTool(answers)) assertNames('fakeApprover', Object.keys(answers), [new ToolRegistry()], 'pass a function');
  return isByTool(answers) ? Object.entries(answers) : [['every question', answers as AskAnswer]];
}
