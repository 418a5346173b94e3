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
      if (isVerdict(answer)) return answer;
  }
  const takes = `'allow-once', 'allow-always', 'deny', or { behavior: 'deny', message }`;
  const given = typeof answer === 'object' ? JSON.stringify(answer) : String(answer);
  throw new TypeError(`${given} is no answer about ${tool}: answer ${takes}`);
}

function isVerdict(answer: unknown): answer is PermissionVerdict {
  if (typeof answer !== 'object' || answer === null || !('behavior' in answer)) return false;
  return answer.behavior === 'allow' || answer.behavior === 'deny';
}
