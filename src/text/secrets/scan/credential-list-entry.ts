import { readQuoted, readRun } from './credential-assigned-value.js';
import type { AssignmentContext } from './credential-assignment.js';
import type { CredentialFinding } from './credential-span.js';

/** How far before its value an entry is looked at for its name. */
const maxBehindChars = 240;

/**
 * The value of an entry whose name stands on a line above: in a list of environment variables, or a variable of
 * Terraform.
 */
export const entryValue = /(?:value["']?[ \t]?:|default[ \t]{0,8}=)[ \t]{1,8}(?=\S{6})/y;

const nameAbove = /\bname["']?[ \t]?:[ \t]{0,4}["']?([\w.-]{2,64})["']?,?[ \t\r]*\n[ \t-]*["']?$/;
const variableAbove = /\bvariable[ \t]+"([\w-]{2,64})"[ \t]*\{[^{}]*$/;

/** Judges such a value by the name above it. */
export function findEntryValue(
  text: string,
  start: number,
  end: number,
  { lookbackStart, memory }: AssignmentContext,
): CredentialFinding | undefined {
  const behind = text.slice(Math.max(lookbackStart, start - maxBehindChars), start);
  const name = (text[start] === 'v' ? nameAbove : variableAbove).exec(behind)?.[1];
  const style = name === undefined ? undefined : memory.styleOf(name);
  const value = style === undefined ? undefined : (readQuoted(text, end) ?? readRun(text, end, 'code'));
  if (
    style === undefined ||
    value === undefined ||
    !memory.isSecret(text.slice(value.start, value.end), style, 'quoted')
  )
    return undefined;
  return { kind: 'assignment', start: value.start, end: value.end };
}

/** The password in a statement of SQL or PowerShell. */
export const statementPassword =
  /(?:identified[ \t]{1,4}by|convertto-securestring(?:[ \t]{1,4}-string)?)[ \t]{1,4}(?=["'])/iy;

/** Judges such a password. */
export function findStatementPassword(
  text: string,
  _start: number,
  end: number,
  { memory }: AssignmentContext,
): CredentialFinding | undefined {
  const value = readQuoted(text, end);
  if (value === undefined || !memory.isSecret(text.slice(value.start, value.end), 'password', 'quoted'))
    return undefined;
  return { kind: 'assignment', start: value.start, end: value.end };
}
