import type { ToolCall } from '../../core/call.js';
import { stateNumbers } from '../../core/numbers.js';
import type { Answers, AskAnswer, PermissionQuestion } from '../../core/permission-question.js';
import { LatestMap } from '../../core/support/latest-map.js';
import type { PermissionRequest } from '../../ports/permissions.js';
import { readAnswer } from '../../ports/read-decision.js';

/** How a turn comes by answers besides asking a person while it waits. */
export interface ApprovalTerms {
  /** Questions end the turn instead of being put to a person now. */
  readonly suspends?: boolean;
  /** Nothing is run or queued and nobody hears of it: only the decision is wanted. */
  readonly isRehearsal?: boolean;
  /** Answers to the calls as the model made them, by call id; a question id in its place ties one to its question. */
  readonly toCalls?: Answers | undefined;
  /** Answers to questions, by question id. */
  readonly toQuestions?: Answers | undefined;
  /** The question that was answered for a call, where that is known. */
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

  /** Whether a question about a call could be answered without asking now. */
  mayAnswer(callId: string): boolean {
    const { toCalls = {} } = this.#terms;
    return this.suspends || Object.keys(toCalls).some((id) => id === callId || id.startsWith(questionPrefix));
  }

  /** The answer to a question; one to a call holds for the input that it was given for, and for no rewritten one. */
  answerTo(
    { id, callId }: PermissionQuestion,
    { rewrittenBy }: Pick<PermissionRequest, 'rewrittenBy'>,
  ): AskAnswer | undefined {
    const { toCalls, toQuestions, answered } = this.#terms;
    const toQuestion = own(toQuestions, id) ?? own(toCalls, id);
    if (toQuestion !== undefined || rewrittenBy !== undefined) return toQuestion;
    return (answered?.(callId) ?? id) === id ? toCall(toCalls, callId) : undefined;
  }

  /** Whether a question that a call was left with has its answer. */
  isAnswered({ id }: PermissionQuestion): boolean {
    return own(this.#terms.toQuestions, id) !== undefined;
  }

  /** What was answered with a no: that holds whatever the rules say by now. */
  refusalOf({ id, name }: ToolCall, question: PermissionQuestion | undefined) {
    const { toCalls, toQuestions } = this.#terms;
    const answer = own(toQuestions, question?.id ?? '') ?? toCall(toCalls, id);
    const verdict = answer === undefined ? undefined : readAnswer(answer, name);
    return verdict?.behavior === 'deny' ? verdict : undefined;
  }
}

/** What begins the id of each question. */
export const questionPrefix = 'question_';

/** An id that is one of a question names no call, whatever a model calls it. */
function toCall(answers: Answers | undefined, callId: string): AskAnswer | undefined {
  return isQuestionId(callId) ? undefined : own(answers, callId);
}

/** Whether an id is one of a question. */
export function isQuestionId(id: string): boolean {
  return /^question_[0-9a-f]{32}$/.test(id);
}

function own(answers: Answers | undefined, id: string): AskAnswer | undefined {
  return answers !== undefined && Object.hasOwn(answers, id) ? answers[id] : undefined;
}

/** Which question was put for which call, so that its answer is not taken for the same call with another input. */
export class DecidedQuestions {
  /** Question ids by session and call id, the latest last; several for one call cannot be distinguished. */
  readonly #questions = new LatestMap<string, string>(stateNumbers.maxDecidedCalls);

  note({ id, callId }: PermissionQuestion, sessionId: string): void {
    const key = keyOf(callId, sessionId);
    const known = this.#questions.get(key);
    this.#questions.set(key, known === undefined || known === id ? id : ambiguous);
  }

  /** The id of a question, of none where the call was decided with several; undefined where nothing is known. */
  of(callId: string, sessionId: string): string | undefined {
    return this.#questions.get(keyOf(callId, sessionId));
  }

  endSession(sessionId: string): void {
    for (const key of this.#questions.keys())
      if ((JSON.parse(key) as readonly string[])[0] === sessionId) this.#questions.delete(key);
  }
}

/** No question has this id. */
const ambiguous = '';

function keyOf(callId: string, sessionId: string): string {
  return JSON.stringify([sessionId, callId]);
}
