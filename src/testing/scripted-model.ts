import type { ToolCall, ToolCallResult } from '../core/call.js';
import type { ToolDefinitionJson } from '../core/registry/tool-definitions.js';
import { assertOptions, kindOf, type OptionKinds } from '../core/support/option-kinds.js';

/** What a model sees before it answers. */
export interface ModelTurn {
  readonly definitions: readonly ToolDefinitionJson[];
  /** Of the calls of its last answer, in order; empty at first. */
  readonly results: readonly ToolCallResult[];
}

/** One answer: what it says, and the calls it makes, with ids `call_1`, `call_2`, … where none is given. */
export interface ModelAnswer {
  readonly text?: string;
  readonly calls?: readonly (Omit<ToolCall, 'id'> & Partial<Pick<ToolCall, 'id'>>)[];
}

/** A model that follows a script, for the loop of an agent. */
export interface ScriptedModel {
  /** Every turn that it was given. */
  readonly turns: readonly ModelTurn[];
  /** The next answer of the script; past its end a text without calls. */
  answer(turn: ModelTurn): { readonly text: string; readonly calls: readonly ToolCall[] };
}

const kinds: OptionKinds<ModelAnswer> = { text: kindOf.anything, calls: kindOf.list };

/** Makes one. An answer may be a function of what the model sees. */
export function scriptedModel(...script: readonly (ModelAnswer | ((turn: ModelTurn) => ModelAnswer))[]): ScriptedModel {
  for (const next of script) if (typeof next !== 'function') assertOptions('An answer of scriptedModel', next, kinds);
  const turns: ModelTurn[] = [];
  let count = 0;
  return {
    turns,
    answer(turn) {
      const next = script[turns.length] ?? { text: 'The script has ended.' };
      turns.push(turn);
      const { text = '', calls = [] } = typeof next === 'function' ? next(turn) : next;
      return { text, calls: calls.map((call) => ({ id: `call_${++count}`, ...call })) };
    },
  };
}
