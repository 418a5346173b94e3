/**
 * The JSON object in what a hook command printed: alone, or on the last lines behind lines for people; undefined where
 * there is none. Throws for what may be meant as an answer and is none: a list, text or boolean in JSON, a broken
 * object, an object with lines behind it.
 */
export function printedAnswer(stdout: string): object | undefined {
  const text = stdout.trim();
  if (text.startsWith('{')) return JSON.parse(text) as object;
  const whole = parsed(text);
  if (Array.isArray(whole) || typeof whole === 'string' || typeof whole === 'boolean') {
    throw new Error(
      `the hook command answered with ${Array.isArray(whole) ? 'a list' : typeof whole}, not an object of fields`,
    );
  }
  return behindLines(text);
}

/** The first line that begins like an object with a field decides: what follows is the answer, or a broken one. */
function behindLines(text: string): object | undefined {
  const opening = /^[ \t]*\{\s*"/m.exec(text);
  if (opening === null) return undefined;
  const answer = parsed(text.slice(opening.index));
  if (typeof answer === 'object' && answer !== null) return answer;
  throw new Error('the hook command printed an answer that is broken, or lines behind it');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
