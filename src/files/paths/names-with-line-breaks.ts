import { lstatSync } from 'node:fs';

const standsIn = new Map([
  ['\n', '\uf70a'],
  ['\r', '\uf70d'],
  ['\u2028', '\uf728'],
  ['\u2029', '\uf729'],
]);
const lineEnd = /[\n\r\u2028\u2029]/;
const lineEnds = /[\n\r\u2028\u2029]/g;

/**
 * Names with line ends in them, in a form that glob patterns match: their expressions take a line end for the end of
 * the name.
 */
export class NamesInOneLine {
  readonly #names = new Map<string, string>();

  /** What stands in for a name while patterns are matched; most names are left as they are. */
  standIn(name: string): string {
    if (!lineEnd.test(name)) return name;
    const inOneLine = name.replace(lineEnds, (end) => standsIn.get(end) ?? end);
    this.#names.set(inOneLine, name);
    return inOneLine;
  }

  /** The path with the names as they are. */
  real(path: string): string {
    if (this.#names.size === 0) return path;
    return path
      .split('/')
      .map((name) => this.#names.get(name) ?? name)
      .join('/');
  }
}

/**
 * Whether an entry that was listed cannot be reached, because its name is not UTF-8 and what stands for it is another
 * name.
 */
export function isUnnameable(path: string, name: string): boolean {
  return name.includes('\ufffd') && lstatSync(path, { throwIfNoEntry: false }) === undefined;
}
