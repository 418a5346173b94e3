/**
 * The JSON object in what a hook command printed: alone, or at the end with text for people around it on its line and on
 * those before; undefined where there is none. Throws for what may be meant as an answer and is none: a list, text or
 * boolean in JSON, a broken object, an object with lines behind it.
 */
export function printedAnswer(stdout: string): object | undefined {
  const text = stdout.trim();
  const whole = parsed(text);
  if (Array.isArray(whole) || typeof whole === 'string' || typeof whole === 'boolean') {
    throw new Error(
      `the hook command answered with ${Array.isArray(whole) ? 'a list' : typeof whole}, not an object of fields`,
    );
  }
  return typeof whole === 'object' && whole !== null ? whole : amongText(text);
}

/** The first opening of an object with a field decides: what follows is the answer, or a broken one. */
function amongText(text: string): object | undefined {
  const opening = /\{\s*"/.exec(text);
  if (opening === null && !text.startsWith('{')) return undefined;
  const end = text.lastIndexOf('}') + 1;
  const answer = text.includes('\n', end) ? undefined : parsed(text.slice(opening?.index, end));
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
