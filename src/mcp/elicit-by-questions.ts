import { planningNumbers } from '../core/fixed-limits.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { isRecord } from '../core/support/check-values.js';
import { parseHttpUrl } from '../core/support/urls.js';
import { escapeLines } from '../core/text/escape-for-people.js';
import type { Elicitation, ElicitationRequest } from '../ports/mcp-client.js';
import type { UserInput, UserQuestion } from '../ports/planning/user-input.js';

type Value = string | number | boolean | readonly string[];

/** A field as a question; `read` returns the value of an answer, or undefined for an unknown answer. */
interface AskedField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly question: UserQuestion;
  read(answer: string): Value | undefined;
}

const { maxQuestions, minOptions, maxOptions, maxHeaderChars, maxLineChars, maxTextChars } = planningNumbers;
const [accept, decline] = ['Accept', 'Decline'];

/**
 * Answers elicitations of MCP servers by asking the user multiple-choice questions. A field with two to four choices
 * becomes a question; a boolean becomes a yes/no question. Any other field gets its default value or is left out. A
 * request is cancelled if it requires a field that can be neither asked nor defaulted, and declined if a required
 * question is skipped. An address is shown, and the person opens it.
 */
export function elicitByQuestions(userInput: UserInput): Elicitation {
  return {
    elicit: async (request, scope) => {
      const { properties, required } = request.schema ?? {};
      const fields = Object.entries(isRecord(properties) ? properties : {});
      const needed = new Set(Array.isArray(required) ? required : []);
      const content = new Map<string, Value>();
      const asked: AskedField[] = [];
      for (const [name, field] of fields) {
        const choice = askedField(request, name, isRecord(field) ? field : {}, needed.has(name));
        const fallback = isRecord(field) ? field.default : undefined;
        if (choice !== undefined) asked.push(choice);
        else if (isValue(fallback)) content.set(name, fallback);
        else if (needed.has(name)) return { action: 'cancel' };
      }
      // Answers are keyed by the question, so two equal questions cannot be told apart.
      if (new Set(asked.map(({ question }) => question.question)).size < asked.length) return { action: 'cancel' };
      if (request.url !== undefined && parseHttpUrl(request.url) === undefined) return { action: 'cancel' };
      const ask = async (questions: readonly UserQuestion[]) => (await userInput.ask({ questions }, scope)).answers;
      if (asked.length === 0) {
        const question = confirmation(request);
        const { [question.question]: answer } = await ask([question]);
        if (answer !== accept) return { action: 'decline' };
      }
      for (let at = 0; at < asked.length; at += maxQuestions) {
        const some = asked.slice(at, at + maxQuestions);
        const answers = await ask(some.map(({ question }) => question));
        for (const { name, isRequired, question, read } of some) {
          const given = Object.hasOwn(answers, question.question) ? answers[question.question] : undefined;
          const value = given === undefined ? undefined : read(given);
          if (value !== undefined) content.set(name, value);
          else if (isRequired) return { action: 'decline' };
        }
      }
      return { action: 'accept', content: Object.fromEntries(content) };
    },
  };
}

function confirmation({ server, message, url }: ElicitationRequest): UserQuestion {
  const visit = url === undefined ? '' : `\nOpen this address: ${url}`;
  return {
    question: withEnd(`${server}: ${message}`, visit),
    header: server.slice(0, maxHeaderChars),
    options: [
      { label: accept, description: url === undefined ? 'Yes' : 'The address was opened' },
      { label: decline, description: 'No' },
    ],
    multiSelect: false,
  };
}

/**
 * Appends the address or field to the message. A message that is too long is cut before the appended text, and
 * deceptive characters are escaped.
 */
function withEnd(message: string, end: string): string {
  const shownEnd = escapeLines(end);
  return `${escapeLines(message).slice(0, Math.max(0, maxTextChars - shownEnd.length))}${shownEnd}`.slice(
    -maxTextChars,
  );
}

function askedField(
  { server, message }: ElicitationRequest,
  name: string,
  field: JsonSchemaObject,
  isRequired: boolean,
): AskedField | undefined {
  const items = field.type === 'array' && isRecord(field.items) ? field.items : undefined;
  const isMultiple = items !== undefined;
  const offered = field.type === 'boolean' ? yesAndNo : choicesOf(items ?? field);
  // The answer to a question with several choices is their labels, joined by `, `, so a label must not contain that.
  const choices = offered.map(({ label, value }) => ({
    label: isMultiple ? label.replaceAll(', ', '; ') : label,
    value,
  }));
  const labels = new Set(choices.map(({ label }) => label));
  const isAskable = choices.length >= minOptions && choices.length <= maxOptions && labels.size === choices.length;
  if (!isAskable || [...labels].some((label) => label.length > maxLineChars)) return undefined;
  const what = [field.title, field.description].filter((text) => typeof text === 'string').join(': ') || name;
  const meantBy = (label: string) => choices.find((choice) => choice.label === label)?.value;
  return {
    name,
    isRequired,
    question: {
      question: withEnd(`${server}: ${message}`, `\n${what.slice(0, maxTextChars / 4)} (${name})`),
      header: name.slice(0, maxHeaderChars),
      options: choices.map(({ label }) => ({ label, description: '' })),
      multiSelect: isMultiple,
    },
    read: (answer) => {
      if (!isMultiple) return meantBy(answer);
      const labels = answer.split(', ');
      const chosen = choices.filter(({ label }) => labels.includes(label));
      return chosen.length === 0 ? undefined : chosen.map(({ value }) => String(value));
    },
  };
}

const yesAndNo = [
  { label: 'Yes', value: true },
  { label: 'No', value: false },
];

/** The choices of a field, given as `enum` or as titled `oneOf`/`anyOf` entries. */
function choicesOf({
  enum: values,
  enumNames,
  oneOf,
  anyOf,
}: JsonSchemaObject): readonly { label: string; value: Value }[] {
  const names = Array.isArray(enumNames) ? enumNames : [];
  if (Array.isArray(values))
    return values.filter(isValue).map((value, index) => ({ label: String(names[index] ?? value), value }));
  const titled: readonly unknown[] = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  return titled.flatMap((one) =>
    isRecord(one) && isValue(one.const) ? [{ label: String(one.title ?? one.const), value: one.const }] : [],
  );
}

function isValue(value: unknown): value is Value {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
