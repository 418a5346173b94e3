import type { AskAnswer, PermissionVerdict } from '../core/permission-question.js';

/**
 * What the answer to a question comes to. Throws a TypeError for what is none: a misspelt no must not pass for a yes.
 */
export function readAnswer(answer: unknown, tool: string): PermissionVerdict {
  switch (answer as AskAnswer) {
    case 'allow-once':
    case 'allow-always':
      return { behavior: 'allow' };
    case 'deny': {
      const next = 'Do not repeat this call; do something else or ask what they want.';
      return { behavior: 'deny', message: `The user refused ${tool}. ${next}` };
    }
    default:
      if (typeof answer === 'object' && answer !== null) return answer as PermissionVerdict;
  }
  const takes = `'allow-once', 'allow-always', 'deny', or { behavior: 'deny', message }`;
  throw new TypeError(`${String(answer)} is no answer about ${tool}: answer ${takes}`);
}
