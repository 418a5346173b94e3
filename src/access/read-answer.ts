import type { AskAnswer, PermissionVerdict } from '../core/permission-question.js';

/**
 * What the answer to a question comes to. Throws a TypeError for what is none: a misspelt no must not pass for a yes.
 */
export function readAnswer(answer: unknown, tool: string): PermissionVerdict {
  switch (answer as AskAnswer) {
    case 'allow':
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
  const takes = `'allow', 'allow-once', 'allow-always', 'deny', or { behavior: 'deny', message }`;
  const given = typeof answer === 'object' ? JSON.stringify(answer) : String(answer);
  throw new TypeError(`${given?.slice(0, 200)} is no answer about ${tool}: answer ${takes}`);
}

/** The answer of a person; one that is none is a {@link wrongAnswer}. */
export function heardAnswer(answer: unknown, tool: string): PermissionVerdict {
  try {
    return readAnswer(answer, tool);
  } catch (thrown) {
    return wrongAnswer(tool, String(thrown instanceof Error ? thrown.message : thrown));
  }
}

/** The no in place of what is no answer: the host is warned, and the model told that nobody could be asked. */
export function wrongAnswer(tool: string, wrong: string): PermissionVerdict & { readonly behavior: 'deny' } {
  process.emitWarning(wrong, { code: 'TOOLWRIGHT_ANSWER' });
  const message = `${tool} needs permission, and nobody could be asked. Do something else, or tell the user.`;
  return { behavior: 'deny', message };
}

function isVerdict(answer: unknown): answer is PermissionVerdict {
  if (typeof answer !== 'object' || answer === null || !('behavior' in answer)) return false;
  if (answer.behavior !== 'deny') return answer.behavior === 'allow';
  return 'message' in answer && typeof answer.message === 'string';
}
