import type { Decision, PermissionQuestion } from '../core/permission-question.js';
import { isRecord } from '../core/support/is-record.js';

type Behavior = Decision['behavior'];

const strictestFirst = ['deny', 'ask', 'allow'] as const;
/** What each word means that a verdict may be said with. */
const words: Readonly<Record<string, Behavior>> = {
  ...{ deny: 'deny', block: 'deny', ask: 'ask' },
  ...{ allow: 'allow', approve: 'allow', 'allow-once': 'allow', 'allow-always': 'allow' },
};

/**
 * A verdict of a tool, a hook, permissions, a classifier or a person, read once, field by field, since it is foreign
 * and may change or throw when it is read. The one place that knows the older forms: `message` for a reason, `decision`
 * and `permissionDecision` for a behavior, and a word alone from those who may answer so. Undefined for what is none: a
 * misspelt one must never pass for a yes.
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
  const {
    behavior,
    decision,
    permissionDecision,
    message,
    reason: given,
    interrupt,
    updatedInput,
    question,
  } = value as Readonly<Record<string, unknown>>;
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

/** What the words of a verdict come to: a no in one of them is a no. Undefined where one is unknown, or none is said. */
function strictest(said: readonly unknown[]): Behavior | undefined {
  const meant = said
    .filter((word) => word !== undefined)
    .map((word) => (typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined));
  return meant.includes(undefined) ? undefined : strictestFirst.find((behavior) => meant.includes(behavior));
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

/** A yes to the input as it is. */
export const allowed = Object.freeze({ behavior: 'allow' } as const);

/** A no, whose reason has its older name too; an empty one stands for none. */
export function denial(reason: string) {
  return { behavior: 'deny', reason, message: reason } as const;
}

/**
 * What the answer to a question comes to. Throws a TypeError for what is none: a misspelt no must not pass for a yes.
 */
export function readAnswer(answer: unknown, tool: string): Decision {
  const decision = readDecision(answer, 'word or object');
  if (decision?.behavior === 'allow') return decision;
  if (decision?.behavior === 'deny') {
    const refusal = `The user refused ${tool}. Do not repeat this call; do something else or ask what they want.`;
    return { ...decision, ...denial(decision.reason || refusal) };
  }
  const takes = `'allow', 'allow-once', 'allow-always', 'deny', or { behavior: 'deny', message }`;
  const given = typeof answer === 'object' ? JSON.stringify(answer) : String(answer);
  throw new TypeError(`${given?.slice(0, 200)} is no answer about ${tool}: answer ${takes}`);
}

/** The answer of a person; one that is none is a {@link wrongAnswer}. */
export function heardAnswer(answer: unknown, tool: string): Decision {
  try {
    return readAnswer(answer, tool);
  } catch (thrown) {
    return wrongAnswer(tool, String(thrown instanceof Error ? thrown.message : thrown));
  }
}

/** The no in place of what is no answer: the host is warned, and the model told that nobody could be asked. */
export function wrongAnswer(tool: string, wrong: string) {
  process.emitWarning(wrong, { code: 'TOOLWRIGHT_ANSWER' });
  return denial(`${tool} needs permission, and nobody could be asked. Do something else, or tell the user.`);
}
