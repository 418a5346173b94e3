import { planningNumbers } from '../../core/numbers.js';
import type { JsonSchemaObject } from '../../core/schema/json-schema.js';
import { isRecord } from '../../core/support/is-record.js';
import type { Elicitation, ElicitationRequest } from '../../host/mcp-client.js';
import type { UserInput, UserQuestion } from '../../host/planning/user-input.js';
import { escapeLine } from '../../text/display.js';

const { maxQuestions, maxOptions, minOptions, maxTextChars, maxLineChars } = planningNumbers;

type Answered = Awaited<ReturnType<Elicitation['elicit']>>;
type Value = NonNullable<Answered['content']>[string];

/** A field as a question, and what an answer to it means; undefined for one that is no answer. */
interface AskedField {
  readonly name: string;
  readonly question: UserQuestion;
  read(answer: string): Value | undefined;
}

/**
 * Lets MCP servers ask by the questions of AskUserQuestion: a confirmation, an address to open, or up to four fields that
 * are yes or no, or a choice of two to four. What asks for more is declined; what the person skips is cancelled.
 */
export function elicitByQuestions(userInput: UserInput): Elicitation {
  return {
    elicit: async (request, scope): Promise<Answered> => {
      const fields = fieldsOf(request);
      if (fields === undefined) return { action: 'decline' };
      const { answers } = await userInput.ask({ questions: fields.map(({ question }) => question) }, scope);
      const content: Record<string, Value> = Object.create(null);
      for (const { name, question, read } of fields) {
        const said = Object.hasOwn(answers, question.question) ? answers[question.question] : undefined;
        const value = said === undefined ? undefined : read(said);
        if (value === undefined) return { action: 'cancel' };
        if (name === confirmed && value !== true) return { action: 'decline' };
        if (name !== confirmed) content[name] = value;
      }
      return request.schema === undefined ? { action: 'accept' } : { action: 'accept', content: { ...content } };
    },
  };
}

const confirmed = '';
const yesOrNo = [
  { label: 'Yes', description: 'Accept' },
  { label: 'No', description: 'Decline' },
];

/** Undefined where something cannot be asked as a choice. */
function fieldsOf({ server, message, schema, url }: ElicitationRequest): readonly AskedField[] | undefined {
  const about = `MCP server ${escapeLine(server, 100)}: ${escapeLine(message, maxTextChars)}`;
  const properties: unknown = schema?.properties;
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  if (fields.length === 0) {
    const question = url === undefined ? about : `${about} Have you opened ${escapeLine(url, maxTextChars)}?`;
    return [choice(confirmed, question, 'Confirm', yesOrNo, false, isYes)];
  }
  if (fields.length > maxQuestions) return undefined;
  const asked = fields.map(([name, field]) => askedField(name, about, field));
  return asked.every((one) => one !== undefined) ? asked : undefined;
}

function askedField(name: string, about: string, field: unknown): AskedField | undefined {
  if (!isRecord(field) || name === confirmed) return undefined;
  const { title, description } = field;
  const label = [title, description].find((text) => typeof text === 'string') ?? name;
  const question = `${about} ${escapeLine(`${label} (${name})`, maxLineChars)}`;
  if (field.type === 'boolean') return choice(name, question, name, yesOrNo, false, isYes);
  const isList = field.type === 'array' && isRecord(field.items);
  const values = valuesOf(isList ? (field.items as JsonSchemaObject) : field);
  if (values === undefined) return undefined;
  const options = values.map(({ label }) => ({ label, description: '' }));
  const byLabel = new Map(values.map((one) => [one.label, one.value]));
  return choice(name, question, name, options, isList, (answer) => {
    if (!isList) return byLabel.get(answer);
    const chosen = answer.split(', ').map((one) => byLabel.get(one));
    return chosen.every((one) => one !== undefined) ? chosen : undefined;
  });
}

/** The values of a choice with what stands for each; undefined where they are none, too many, or look the same. */
function valuesOf(field: Readonly<Record<string, unknown>>) {
  const named = field.oneOf ?? field.anyOf;
  const options = Array.isArray(named)
    ? named
    : Array.isArray(field.enum)
      ? field.enum.map((one) => ({ const: one }))
      : [];
  const names: readonly unknown[] = Array.isArray(field.enumNames) ? field.enumNames : [];
  const values = options.flatMap((option: unknown, index) => {
    const { const: value, title = names[index] } = isRecord(option) ? option : {};
    const label = escapeLine(typeof title === 'string' ? title : String(value), maxLineChars).replaceAll(', ', '; ');
    return typeof value === 'string' ? [{ value, label }] : [];
  });
  const isWhole = values.length === options.length && new Set(values.map(({ label }) => label)).size === values.length;
  return isWhole && values.length >= minOptions && values.length <= maxOptions ? values : undefined;
}

function choice(
  name: string,
  question: string,
  header: string,
  options: UserQuestion['options'],
  multiSelect: boolean,
  read: AskedField['read'],
): AskedField {
  return { name, question: { question, header: escapeLine(header, 100).slice(0, 12), options, multiSelect }, read };
}

function isYes(answer: string): boolean | undefined {
  return answer === 'Yes' ? true : answer === 'No' ? false : undefined;
}
