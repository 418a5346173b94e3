import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';
import { isRecord } from '../../core/support/check-values.js';
import { slipsOf } from '../../core/support/near-names.js';
import { parseRule } from '../../permissions/rule.js';

const maxNameChars = 64;
const maxDescriptionChars = 1_024;
const fields = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];
/** Matches one rule: no blanks and commas outside brackets. Brackets may be nested once. */
const ruleText = /(?:[^\s,()]|\((?:[^()\n]|\([^()\n]*\))*\))+/g;

/**
 * Parses a SKILL.md. White space in the description becomes single spaces; `text` is the part after the front matter.
 * Throws an Error whose message is a reason without a full stop.
 */
export function readSkillText(source: string) {
  const parts = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*$/m.exec(source);
  if (parts?.index !== 0) throw new Error('it does not begin with front matter between two lines of ---');
  const facts = yamlOf(parts[1] ?? '');
  for (const field of Object.keys(facts)) {
    if (fields.includes(field)) continue;
    // Unknown fields may belong to other programs, but a misspelt allowed-tools would allow every tool.
    const meant = slipsOf(field, fields, 2).find((known) => !Object.hasOwn(facts, known));
    if (meant !== undefined) throw new Error(`write ${meant} in place of ${JSON.stringify(field)}`);
  }
  const { name, description, metadata } = facts;
  if (typeof name !== 'string' || !/^[\p{L}\p{N}]+(?:[-_. ][\p{L}\p{N}]+)*$/u.test(name) || name.length > maxNameChars)
    throw new Error(
      `name takes at most ${maxNameChars} characters: letters and digits, with a single hyphen, _, dot or space between words`,
    );
  const said = typeof description === 'string' ? description.replace(/[\p{C}\p{Z}]+/gu, ' ').trim() : '';
  if (said === '' || said.length > maxDescriptionChars)
    throw new Error(`description takes a text of 1 to ${maxDescriptionChars} characters`);
  if (metadata !== undefined && !isTexts(metadata)) throw new Error('metadata takes fields whose values are texts');
  return {
    name,
    description: said,
    allowedTools: toolsOf(facts['allowed-tools']),
    metadata,
    text: source.slice(parts[0].length).trim(),
  };
}

/** Parses YAML; every scalar stays a string. */
function yamlOf(source: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = load(source, { schema: FAILSAFE_SCHEMA });
  } catch (thrown) {
    const { reason, mark } = thrown as YAMLException;
    const what = thrown instanceof YAMLException ? reason : 'a syntax error';
    const place = mark === undefined ? '' : ` in line ${mark.line + 2}`;
    // The most common mistake is an unquoted text with a colon.
    throw new Error(`its front matter is not valid YAML: ${what}${place}; put texts that hold ": " in quotes`);
  }
  if (!isRecord(value)) throw new Error('its front matter takes fields such as name: and description:');
  return value;
}

/** Parses rules from a text such as `Read, Grep` or `Read Bash(git *)`, or from a list of such texts. */
function toolsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const written = Array.isArray(value) ? value : [value];
  const texts = written.filter((one) => typeof one === 'string');
  const names = texts.flatMap((one) => one.match(ruleText) ?? []);
  // An unmatched bracket would split one narrow rule into several wide rules.
  const rest = texts.map((one) => one.replace(ruleText, '')).join('');
  if (names.length === 0 || texts.length < written.length || !/^[\s,]*$/.test(rest))
    throw new Error('allowed-tools takes names of tools, each with at most one pattern in brackets, as in Bash(git *)');
  try {
    names.forEach(parseRule);
  } catch (thrown) {
    throw new Error(`allowed-tools: ${(thrown as Error).message}`);
  }
  return names;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
}
