import type { Caller } from '../core/context.js';
import { stateNumbers } from '../core/fixed-limits.js';
import type { Answers } from '../core/permission-question.js';
import type { Toolkit } from '../core/registry/toolkit.js';
import { LatestMap } from '../core/support/latest-map.js';

/** The ids of asked questions by call id; one map for each session and agent of a toolkit. */
const known = new WeakMap<Toolkit, LatestMap<string, LatestMap<string, string>>>();

/**
 * Records the questions about calls that a framework asks its user. An approval is accepted only for a question that
 * was asked, for the input in that question, and only once. Questions are kept by toolkit, since hosts may create a new
 * list of tools for each request.
 */
export function pendingApprovals(toolkit: Toolkit, caller: Caller | undefined) {
  const bySession = known.get(toolkit) ?? new LatestMap(stateNumbers.maxDecidedCalls);
  known.set(toolkit, bySession);
  const key = JSON.stringify([caller?.sessionId, caller?.agentId]);
  const asked = bySession.get(key) ?? new LatestMap<string, string>(stateNumbers.maxDecidedCalls);
  bySession.set(key, asked);
  return {
    /** The id of the question about a call; undefined if the call runs or is refused without a question. */
    questionOf: async (id: string, name: string, input: unknown) => {
      const decision = await toolkit.decide({ id, name, input }, { caller });
      return decision.behavior === 'ask' ? decision.question.id : undefined;
    },
    /** Records that a question is asked. */
    note: (callId: string, questionId: string) => void asked.set(callId, questionId),
    isAsked: (callId: string, questionId: string) => asked.get(callId) === questionId,
    /** The approval of the question about a call; empty if no question was asked or the approval was taken before. */
    takeApproval: (callId: string): Answers => {
      const questionId = asked.get(callId);
      asked.delete(callId);
      return questionId === undefined ? {} : { [questionId]: 'allow-once' };
    },
  };
}
