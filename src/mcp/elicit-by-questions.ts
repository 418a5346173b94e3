import { planningNumbers } from '../core/fixed-limits.js';
import type { JsonSchemaObject } from '../core/schema/json-schema.js';
import { isRecord, kindOf } from '../core/support/check-values.js';
import { parseHttpUrl } from '../core/support/urls.js';
import { firstChars } from '../core/text/cut.js';
import { escapeLines } from '../core/text/escape-for-people.js';
import type { Elicitation, ElicitationRequest } from '../ports/mcp-client.js';
import type { UserInput, UserQuestion } from '../ports/planning/user-input.js';

type Choice = string | number | boolean;
type Value = Choice | readonly string[];

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
 * request is cancelled if a required field has neither a question nor a default value, and declined if the user skips a
 * required question. If the request names an address, the question shows the address and the user opens it. The request
 * is cancelled if the whole address is too long for the question.
 */
export function elicitByQuestions(userInput: UserInput): Elicitation {
  return {
    elicit: async (request, scope) => {
      // A request to open an address has no fields.
      const { properties, required } = (request.url === undefined ? request.schema : undefined) ?? {};
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
      const ask = async (questions: readonly UserQuestion[]) => (await userInput.ask({ questions }, scope)).answers;
      if (asked.length === 0) {
        const question = confirmation(request);
        if (question === undefined) return { action: 'cancel' };
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

/** The question of a request without fields to ask; undefined if its address cannot be shown. */
function confirmation(request: ElicitationRequest): UserQuestion | undefined {
  const { url } = request;
  const address = parseHttpUrl(url);
  const question = withEnd(request, address === undefined ? '' : `\nOpen this address: ${address.href}`);
  if (question === undefined || (url !== undefined && address === undefined)) return undefined;
  return {
    question,
    header: firstChars(request.server, maxHeaderChars),
    options: [
      { label: accept, description: url === undefined ? 'Yes' : 'The address was opened' },
      { label: decline, description: 'No' },
    ],
    multiSelect: false,
  };
}

/**
 * The message of a server, followed by `end` (an address or a field), with deceptive characters escaped. A long message
 * is cut. Undefined if `end` alone is too long.
 */
function withEnd({ server, message }: ElicitationRequest, end: string): string | undefined {
  const [shownServer, shownEnd] = [escapeLines(`${server}: `), escapeLines(end)];
  const room = maxTextChars - shownServer.length - shownEnd.length;
  return room < 0 ? undefined : `${shownServer}${firstChars(escapeLines(message), room)}${shownEnd}`;
}

function askedField(
  request: ElicitationRequest,
  name: string,
  field: JsonSchemaObject,
  isRequired: boolean,
): AskedField | undefined {
  const items = field.type === 'array' && isRecord(field.items) ? field.items : undefined;
  const isMultiple = items !== undefined;
  const offered = field.type === 'boolean' ? yesAndNo : choicesOf(items ?? field);
  // The answer to a multi-select question joins the chosen labels by `, `, so no label may contain `, `.
  const choices = offered.map(({ label, value }) => ({
    label: isMultiple ? label.replaceAll(', ', '; ') : label,
    value,
  }));
  const labels = new Set(choices.map(({ label }) => label));
  const isAskable = choices.length >= minOptions && choices.length <= maxOptions && labels.size === choices.length;
  if (!isAskable || [...labels].some((label) => label.length > maxLineChars)) return undefined;
  const what = [field.title, field.description].filter((text) => typeof text === 'string').join(': ') || name;
  const question = withEnd(request, `\n${firstChars(what, maxTextChars / 4)} (${name})`);
  if (question === undefined) return undefined;
  const meantBy = (label: string) => choices.find((choice) => choice.label === label)?.value;
  return {
    name,
    isRequired,
    question: {
      question,
      header: firstChars(name, maxHeaderChars),
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
}: JsonSchemaObject): readonly { label: string; value: Choice }[] {
  const names = Array.isArray(enumNames) ? enumNames : [];
  if (Array.isArray(values))
    return values.flatMap((value: unknown, index) =>
      isChoice(value) ? [{ label: String(names[index] ?? value), value }] : [],
    );
  const titled: readonly unknown[] = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  return titled.flatMap((one) =>
    isRecord(one) && isChoice(one.const) ? [{ label: String(one.title ?? one.const), value: one.const }] : [],
  );
}

function isChoice(value: unknown): value is Choice {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isValue(value: unknown): value is Value {
  return isChoice(value) || kindOf.texts.holds(value);
}
