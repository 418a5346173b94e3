import { readQuoted, readRun } from './credential-assigned-value.js';
import { secretStyleOf } from './credential-key.js';
import { type FormPlace, formRule, type PartReader } from './credential-rule.js';
import { isSecretValue, type SecretStyle } from './secret-value.js';

/** How far before its value an entry is looked at for its name. */
const maxBehindChars = 240;
const maxBlockLine = 1024;

/** The value of an entry of which the name stands on a line above: a list of variables, a variable of Terraform. */
export const entryRules = [
  formRule({ heads: ['value:', 'value :', 'value":', "value':"] }, /value["']?[ \t]?:[ \t]{1,8}(?=\S{6})/y, (place) =>
    entryValue(place, /\bname["']?[ \t]?:[ \t]{0,4}["']?([\w.-]{2,64})["']?,?[ \t\r]*\n[ \t-]*["']?$/),
  ),
  formRule({ heads: ['default '] }, /default[ \t]{0,8}=[ \t]{1,8}(?=\S{6})/y, (place) =>
    entryValue(place, /\bvariable[ \t]+"([\w-]{2,64})"[ \t]*\{[^{}]*$/),
  ),
];

/** The password on a line of a `.pgpass` file: `host:port:database:user:password`. */
export const pgpassRule = formRule(
  {
    heads: [':5432:', ':5433:', ':6432:', ':*:'],
    next: '*abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789',
  },
  /(?<=^[\w.*\\-]{1,128}):[\d*]{1,5}:[^\s:]{1,64}:[^\s:]{1,64}:(?=[^\s:]{6,256}[ \t\r]*$)/my,
  ({ text, end }) => {
    const value = readRun(text, end, 'header');
    const isSecret = value !== undefined && isSecretValue(text.slice(value.start, value.end), 'password', 'literal');
    return isSecret ? { kind: 'assignment', start: value.start, end: value.end } : undefined;
  },
);

/** Reads the lines of a block of YAML (`token: |`), which are indented deeper than its name, and judges each of them. */
export function blockLines(indent: number, style: SecretStyle): PartReader {
  return (text, at) => {
    const lineBreak = text.indexOf('\n', at);
    const end = lineBreak < 0 ? text.length : lineBreak + 1;
    if (text[at - 1] !== '\n') return { end };
    const line = text.slice(at, Math.min(end, at + maxBlockLine));
    const start = line.search(/\S/);
    if (start < 0) return { end };
    if (start <= indent) return undefined;
    const value = line.trim();
    if (line.length === maxBlockLine || !isSecretValue(value, style, 'quoted')) return { end };
    return { end, secret: { kind: 'assignment', start: at + start, end: at + start + value.length } };
  };
}

function entryValue({ text, start, end, lookbackStart }: FormPlace, above: RegExp) {
  const name = above.exec(text.slice(Math.max(lookbackStart, start - maxBehindChars), start))?.[1];
  const style = name === undefined ? undefined : secretStyleOf(name);
  const value = style === undefined ? undefined : (readQuoted(text, end) ?? readRun(text, end, 'code'));
  if (style === undefined || value === undefined) return undefined;
  const isSecret = isSecretValue(text.slice(value.start, value.end), style, 'quoted');
  return isSecret ? ({ kind: 'assignment', start: value.start, end: value.end } as const) : undefined;
}
