import { anyCharacter } from '../../core/text/literal-prefix-index.js';
import { readQuoted, readRun, secretIn, withSetting } from './assigned-value.js';
import { passwordAt } from './command.js';
import { linePrefix, withoutColours } from './line-decoration.js';
import { before, type FormPlace, formRule, type PartReader } from './rule.js';
import { secretStyleOf } from './secret-names.js';
import { isSecretValue, type SecretStyle } from './secret-value.js';

const maxBlockLine = 1024;
const startOfLine = new RegExp(`^${linePrefix}`);

const listEntry = new RegExp(
  String.raw`\bname["']?[ \t]?:[ \t]{0,4}["']?([\w.-]{2,64})["']?,?[ \t\r]*\n${linePrefix}[ \t-]*["']?$`,
);
const variableBlock = /\bvariable[ \t]+"([\w-]{2,64})"[ \t]*\{[^{}]*$/;
const pgpassHost = new RegExp(String.raw`(?:^|\n)${linePrefix}[\w.*\\-]{1,128}$`);

/** Finds a value whose name is on the line above, as in a list of variables and in a Terraform variable. */
export const entryRules = [
  formRule({ heads: ['value:', 'value :', 'value":', "value':"] }, /value["']?[ \t]?:[ \t]{1,8}(?=\S{6})/y, (place) =>
    entryValue(place, listEntry),
  ),
  formRule({ heads: ['default '] }, /default[ \t]{0,8}=[ \t]{1,8}(?=\S{6})/y, (place) =>
    entryValue(place, variableBlock),
  ),
];

/** The password on a line of a `.pgpass` file: `host:port:database:user:password`. */
export const pgpassRule = formRule(
  { heads: [':5432:', ':5433:', ':6432:', ':*:'], next: anyCharacter },
  /:[\d*]{1,5}:[^\s:]{1,64}:[^\s:]{1,64}:(?=[^\s:]{6,256}[ \t\r]*$)/my,
  (place) => (pgpassHost.test(before(place)) ? passwordAt(place, 'literal') : undefined),
);

/**
 * Reads the lines of a YAML block scalar (`token: |`), which are indented deeper than its name, and checks each of
 * them.
 */
export function blockLines(indent: number, style: SecretStyle): PartReader {
  return (text, at) => {
    const lineBreak = text.indexOf('\n', at);
    const end = lineBreak < 0 ? text.length : lineBreak + 1;
    if (text[at - 1] !== '\n') return { end };
    const line = text.slice(at, Math.min(end, at + maxBlockLine));
    const plain = withoutColours(line).replace(startOfLine, '');
    const value = plain.trim();
    if (value === '') return { end };
    if (plain.search(/\S/) <= indent) return undefined;
    const start = line.indexOf(value);
    if (start < 0 || line.length === maxBlockLine || !isSecretValue(value, style, 'quoted')) return { end };
    return { end, secret: { kind: 'assignment', start: at + start, end: at + start + value.length } };
  };
}

function entryValue(place: FormPlace, above: RegExp) {
  const name = above.exec(before(place))?.[1];
  const style = name === undefined ? undefined : secretStyleOf(name);
  const { text, end } = place;
  return style && secretIn(text, withSetting('quoted', readQuoted(text, end) ?? readRun(text, end, 'code')), style);
}
