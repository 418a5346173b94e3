import type { CallScope } from '../core/context.js';
import type { AskAnswer } from '../core/permission-question.js';
import type { PermissionRequest } from '../host/permissions.js';
import type { UserAnswers, UserInput, UserQuestion } from '../host/planning/user-input.js';

/** A person who answers questions, and what was asked. */
export interface FakeUser extends UserInput {
  readonly asked: readonly UserQuestion[];
}

/** A person for `hosts.userInput` with an answer by the text of each question; what has none is skipped. */
export function fakeUser(answers: Readonly<Record<string, string>>): FakeUser {
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

/** Somebody for `permissions.onAsk`: by the name of the tool, or by a function. What has no answer is denied. */
export function fakeApprover(
  answers: AskAnswer | Readonly<Record<string, AskAnswer>> | ((request: PermissionRequest) => AskAnswer),
): FakeApprover {
  const asked: PermissionRequest[] = [];
  const answerTo = (request: PermissionRequest): AskAnswer => {
    if (typeof answers === 'function') return answers(request);
    if (typeof answers === 'string' || 'behavior' in answers) return answers as AskAnswer;
    return Object.hasOwn(answers, request.tool) ? (answers[request.tool] ?? 'deny') : 'deny';
  };
  return Object.assign(
    async (request: PermissionRequest) => {
      asked.push(request);
      return answerTo(request);
    },
    { asked },
  );
}
