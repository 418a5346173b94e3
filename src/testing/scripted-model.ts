import type { ToolCall, ToolCallResult } from '../core/call.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import { argumentMistake, assertOptions, kindName, kindOf, type OptionKinds } from '../core/support/check-values.js';

/** The input of one round of a model. */
export interface ModelTurn {
  readonly definitions: readonly ToolDefinitionJson[];
  /** The results of the calls in the model's last answer, in order; empty in the first round. */
  readonly results: readonly ToolCallResult[];
}

/** One answer: a text and calls, with ids `call_1`, `call_2`, … if none are given. */
export interface ModelAnswer {
  readonly text?: string;
  readonly calls?: readonly (Omit<ToolCall, 'id'> & Partial<Pick<ToolCall, 'id'>>)[];
}

/** A model that follows a script, for the loop of an agent. */
export interface ScriptedModel {
  /** All rounds so far. */
  readonly turns: readonly ModelTurn[];
  /** Returns the next answer of the script; after the end of the script, returns a text without calls. */
  answer(turn: ModelTurn): { readonly text: string; readonly calls: readonly ToolCall[] };
}

const kinds: OptionKinds<ModelAnswer> = { text: kindOf.anything, calls: kindOf.list };

function assertAnswer(answer: ModelAnswer): void {
  assertOptions('An answer of scriptedModel', answer, kinds);
  const names = ['id', 'name', 'input', 'type'];
  const isCall = (call: object) => 'name' in call && Object.keys(call).every((name) => names.includes(name));
  const wrong = answer.calls?.find((call) => !isCall(Object(call)));
  const write = "{ calls: [{ name: 'Read', input: { file_path } }] }";
  if (wrong !== undefined) throw argumentMistake('scriptedModel takes calls { name, input }', kindName(wrong), write);
}

/** Makes a scripted model. An answer may be a function of the round. */
export function scriptedModel(...script: readonly (ModelAnswer | ((turn: ModelTurn) => ModelAnswer))[]): ScriptedModel {
  for (const next of script) if (typeof next !== 'function') assertAnswer(next);
  const turns: ModelTurn[] = [];
  let count = 0;
  return {
    turns,
    answer(turn) {
      const next = script[turns.length] ?? { text: 'The script has ended.' };
      turns.push(turn);
      const answer = typeof next === 'function' ? next(turn) : next;
      assertAnswer(answer);
      const { text = '', calls = [] } = answer;
      return { text, calls: calls.map((call) => ({ id: `call_${++count}`, ...call })) };
    },
  };
}
