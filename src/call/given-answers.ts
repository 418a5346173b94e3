import type { ToolCall } from '../core/call.js';
import { stateNumbers } from '../core/fixed-limits.js';
import type { Answers, AskAnswer, PermissionQuestion } from '../core/permission-question.js';
import { LatestMap } from '../core/support/latest-map.js';
import { readAnswer } from '../ports/parse-decision.js';
import type { PermissionRequest } from '../ports/permissions.js';

/** How a turn answers its permission questions. */
export interface ApprovalTerms {
  /** True if a question suspends the turn, so that no person is asked during the turn. */
  readonly suspends?: boolean;
  /**
   * True if only the decision about a call is wanted: the call neither runs nor is queued, and no question is
   * announced.
   */
  readonly isRehearsal?: boolean;
  /** Answers by question id, or by call id. An answer by call id is only for the input as the model sent it. */
  readonly answers?: Answers | undefined;
  /** The id of the question that an earlier `decide` returned for a call; undefined if unknown. */
  readonly answered?: (callId: string) => string | undefined;
}

/** The answers that a turn was started with. */
export class Approvals {
  readonly #terms: ApprovalTerms;

  constructor(terms: ApprovalTerms) {
    this.#terms = terms;
  }

  get suspends(): boolean {
    return this.#terms.suspends === true;
  }

  get isRehearsal(): boolean {
    return this.#terms.isRehearsal === true;
  }

  /**
   * Whether a question about a call may be handled without asking a person now: by a given answer, or by suspending the
   * turn.
   */
  mayAnswer(callId: string): boolean {
    const { answers = {} } = this.#terms;
    return this.suspends || Object.keys(answers).some((id) => id === callId || id.startsWith(questionPrefix));
  }

  /** The answer to a question. An answer by call id does not apply to a rewritten input. */
  answerTo(
    { id, callId }: PermissionQuestion,
    { rewrittenBy }: Pick<PermissionRequest, 'rewrittenBy'>,
  ): AskAnswer | undefined {
    const { answers, answered } = this.#terms;
    const toQuestion = own(answers, id);
    if (toQuestion !== undefined || rewrittenBy !== undefined) return toQuestion;
    return (answered?.(callId) ?? id) === id ? toCall(answers, callId) : undefined;
  }

  isAnswered({ id }: PermissionQuestion): boolean {
    return own(this.#terms.answers, id) !== undefined;
  }

  /** The refusal of a call, if the answers contain one. A refusal applies even if a newer rule allows the call. */
  refusalOf({ id, name }: ToolCall, question: PermissionQuestion | undefined) {
    const { answers } = this.#terms;
    const answer = (question && own(answers, question.id)) ?? toCall(answers, id);
    const verdict = answer === undefined ? undefined : readAnswer(answer, name);
    return verdict?.behavior === 'deny' ? verdict : undefined;
  }
}

export const questionPrefix = 'question_';

/**
 * The answer by call id. A call id that has the form of a question id selects no answer, because a model could invent
 * such a call id to get the answer to the question.
 */
function toCall(answers: Answers | undefined, callId: string): AskAnswer | undefined {
  return isQuestionId(callId) ? undefined : own(answers, callId);
}

export function isQuestionId(id: string): boolean {
  return /^question_[0-9a-f]{32}$/.test(id);
}

function own(answers: Answers | undefined, id: string): AskAnswer | undefined {
  return answers !== undefined && Object.hasOwn(answers, id) ? answers[id] : undefined;
}

/**
 * Remembers the question that `decide` returned for each call, so that an answer by call id does not apply to a call
 * with the same id and another input.
 */
export class DecidedQuestions {
  /** Question ids by session and call id. If a call had several questions, its entry is {@link ambiguous}. */
  readonly #questions = new LatestMap<string, string>(stateNumbers.maxDecidedCalls);

  note({ id, callId }: PermissionQuestion, sessionId: string): void {
    const key = keyOf(callId, sessionId);
    const known = this.#questions.get(key);
    this.#questions.set(key, known === undefined || known === id ? id : ambiguous);
  }

  /**
   * The id of the question about a call; {@link ambiguous} if the call had several questions, undefined if it had none.
   */
  of(callId: string, sessionId: string): string | undefined {
    return this.#questions.get(keyOf(callId, sessionId));
  }

  endSession(sessionId: string): void {
    for (const key of this.#questions.keys())
      if ((JSON.parse(key) as readonly string[])[0] === sessionId) this.#questions.delete(key);
  }
}

/** An id that matches no question. */
const ambiguous = '';

function keyOf(callId: string, sessionId: string): string {
  return JSON.stringify([sessionId, callId]);
}
