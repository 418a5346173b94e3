import type { Decision, PermissionQuestion } from '../core/permission-question.js';
import { isRecord } from '../core/support/is-record.js';

type Behavior = Decision['behavior'];

const words: Readonly<Record<string, Behavior>> = {
  ...{ allow: 'allow', 'allow-once': 'allow', 'allow-always': 'allow' },
  ...{ ask: 'ask', deny: 'deny' },
};
const wordsOfHooks: Readonly<Record<string, Behavior>> = { ...words, approve: 'allow', block: 'deny' };

/** What a word in the answer of a hook means; undefined for any other, which may be a misspelt no. */
export function behaviorOf(word: unknown, known = wordsOfHooks): Behavior | undefined {
  return typeof word === 'string' && Object.hasOwn(known, word) ? known[word] : undefined;
}

/**
 * A verdict of a tool, of permissions, a classifier or a person, read once, field by field, since it is foreign and may
 * change or throw when it is read. The one place that knows the older forms: `message` for a reason, and a word alone
 * from those who may answer so. Undefined for what is none: a misspelt or half-made one must never pass for a yes.
 */
export function readDecision(value: unknown, form: 'object' | 'word or object' = 'object'): Decision | undefined {
  if (form === 'word or object' && typeof value === 'string')
    return decisionOf({ behavior: behaviorOf(value, words), reason: '' });
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return decisionOf(value);
  } catch {
    return undefined;
  }
}

function decisionOf(value: object): Decision | undefined {
  const { behavior, message, reason = message, interrupt, updatedInput, question } = value as Record<string, unknown>;
  const said = typeof reason === 'string' ? reason : undefined;
  if (behavior === 'allow') return updatedInput === undefined ? allowed : { behavior, updatedInput };
  if (behavior === 'ask')
    return { behavior, reason: said, question: { ...(said && { reason: said }), ...readQuestion(question) } };
  if (behavior !== 'deny' || said === undefined) return undefined;
  return { ...denial(said), interrupt: interrupt === true };
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

/** A no, whose reason has its older name too. */
export function denial(reason: string) {
  return { behavior: 'deny', reason, message: reason } as const;
}

/**
 * What the answer to a question comes to. Throws a TypeError for what is none: a misspelt no must not pass for a yes.
 */
export function readAnswer(answer: unknown, tool: string): Decision {
  const decision = readDecision(answer, 'word or object');
  if (answer === 'deny')
    return denial(`The user refused ${tool}. Do not repeat this call; do something else or ask what they want.`);
  if (decision !== undefined && decision.behavior !== 'ask') return decision;
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
