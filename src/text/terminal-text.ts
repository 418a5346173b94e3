// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this file takes out

/**
 * Escape sequences of ECMA-48: strings such as titles and links where they end on their line, control sequences, and
 * the short ones; C1 forms too. Of a string without an end only the introducer goes, so that no text is swallowed.
 */
const sequences =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
const overstrikes = /[^\n\x08]\x08/gu;
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
const anyControl = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
const openEnd = /(?:\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c]{0,200}\x1b?|[ -/]*)?|\r|[\ud800-\udbff])$/;

const maxFrames = 8;

/**
 * Terminal output as plain text: colours, cursor moves, titles and lone control characters go, what they dress stays.
 * CR LF becomes LF. What a line wrote over itself with a carriage return becomes lines; of long runs, such as progress
 * bars, the first and the last.
 */
export function terminalText(text: string): string {
  if (!anyControl.test(text)) return text;
  const bare = text.replace(sequences, '').replace(overstrikes, '');
  const lines = bare.includes('\r') ? bare.split('\n').map(unwindFrames).join('\n') : bare;
  return lines.replace(controls, '');
}

/**
 * Splits text that goes on later: what can be shown now, and an unfinished escape sequence, carriage return or
 * character at its end.
 */
export function splitOpenEnd(text: string): readonly [complete: string, open: string] {
  const open = openEnd.exec(text)?.[0] ?? '';
  return [text.slice(0, text.length - open.length), open];
}

function unwindFrames(line: string): string {
  if (!line.includes('\r')) return line;
  const frames = line.split('\r').filter((frame) => frame.trim() !== '');
  const [first = '', ...later] = frames;
  if (frames.length <= maxFrames) return frames.join('\n');
  return `${first}\n[${frames.length - 2} overwritten lines]\n${later.at(-1)}`;
}
