import type { Decision, PermissionQuestion } from '../core/permission-question.js';
import { isRecord } from '../core/support/check-values.js';

type Behavior = Decision['behavior'];

const strictestFirst = ['deny', 'ask', 'allow'] as const;
/** The behavior that each word of a verdict means. */
const behaviorByWord: Readonly<Record<string, Behavior>> = {
  ...{ deny: 'deny', block: 'deny', ask: 'ask' },
  ...{ allow: 'allow', approve: 'allow', 'allow-once': 'allow', 'allow-always': 'allow' },
};

/**
 * Reads a verdict of a tool, a hook, permissions, a classifier or a person; `word or object` takes a single word too.
 * Reads each field once, since an object of other code may change or throw. Only this function reads the older names
 * `message`, `decision` and `permissionDecision`. Undefined if invalid: a misspelt verdict must never count as `allow`.
 */
export function readDecision(value: unknown, form: 'object' | 'word or object' = 'object'): Decision | undefined {
  if (form === 'word or object' && typeof value === 'string') return decisionOf({ behavior: value });
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return decisionOf(value);
  } catch {
    return undefined;
  }
}

function decisionOf(value: object): Decision | undefined {
  const fields = value as Readonly<Record<string, unknown>>;
  const { behavior, decision, permissionDecision, message, reason: given } = fields;
  const { interrupt, updatedInput, question } = fields;
  const reason = given ?? message ?? undefined;
  if (reason !== undefined && typeof reason !== 'string') return undefined;
  switch (strictest([behavior, decision, permissionDecision])) {
    case 'allow':
      return updatedInput === undefined ? allowed : { behavior: 'allow', updatedInput };
    case 'ask':
      return { behavior: 'ask', reason, question: { ...(reason && { reason }), ...readQuestion(question) } };
    case 'deny':
      return { ...denial(reason ?? ''), interrupt: interrupt === true };
    default:
      return undefined;
  }
}

/** The strictest behavior that the words of a verdict mean; undefined if a word is unknown, or if there is no word. */
function strictest(given: readonly unknown[]): Behavior | undefined {
  const behaviors = given
    .filter((word) => word !== undefined)
    .map((word) =>
      typeof word === 'string' && Object.hasOwn(behaviorByWord, word) ? behaviorByWord[word] : undefined,
    );
  return behaviors.includes(undefined) ? undefined : strictestFirst.find((behavior) => behaviors.includes(behavior));
}

function readQuestion(value: unknown): Partial<PermissionQuestion> {
  if (typeof value !== 'object' || value === null) return {};
  const { reason, source, suggestions, agent } = value as Partial<PermissionQuestion>;
  return {
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(source === undefined ? {} : { source }),
    ...(Array.isArray(suggestions) ? { suggestions: [...suggestions] } : {}),
    ...(isRecord(agent) ? { agent: { id: String(agent.id), description: String(agent.description) } } : {}),
  };
}

/** Allows the input unchanged. */
export const allowed = Object.freeze({ behavior: 'allow' } as const);

/** A refusal, with its reason also under the older name `message`. An empty reason counts as no reason. */
export function denial(reason: string) {
  return { behavior: 'deny', reason, message: reason } as const;
}

/** The decision in an answer. Throws a TypeError for an invalid one: a misspelt `deny` must not count as `allow`. */
export function readAnswer(answer: unknown, tool: string): Decision {
  const decision = readDecision(answer, 'word or object');
  if (decision?.behavior === 'allow') return decision;
  if (decision?.behavior === 'deny') {
    const refusal = `The user refused ${tool}. Do not repeat this call; do something else or ask what they want.`;
    return { ...decision, ...denial(decision.reason || refusal) };
  }
  const takes = `'allow', 'allow-once', 'allow-always', 'deny', or { behavior: 'deny', message }`;
  const given = typeof answer === 'object' ? JSON.stringify(answer) : String(answer);
  throw new TypeError(`${given?.slice(0, 200)} is not an answer about ${tool}: answer ${takes}`);
}

/** The decision in a person's answer; an invalid answer refuses the call, see {@link wrongAnswer}. */
export function answerOrRefusal(answer: unknown, tool: string): Decision {
  try {
    return readAnswer(answer, tool);
  } catch (thrown) {
    return wrongAnswer(tool, String(thrown instanceof Error ? thrown.message : thrown));
  }
}

/** Refuses a call after an invalid answer: warns the host, and tells the model that no person could be asked. */
export function wrongAnswer(tool: string, warning: string) {
  process.emitWarning(warning, { code: 'TOOLWRIGHT_ANSWER' });
  return denial(`${tool} needs permission, but no person could be asked. Do something else, or tell the user.`);
}
