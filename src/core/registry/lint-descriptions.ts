import { assertArgument, kindOf } from '../support/option-kinds.js';
import type { ToolDefinitionJson } from './tool-definitions.js';

/** A description outside its budget. */
export interface DescriptionWarning {
  readonly tool: string;
  /** Estimated, see {@link estimateTokens}. */
  readonly tokens: number;
  /** What is wrong and what to do, in one line for the author of the tool. */
  readonly message: string;
}

/**
 * Tokens of a description: fewer than `min` say too little; one sentence may take `maxOfOne`, several together
 * `maxOfMany`.
 */
const budget = { min: 10, maxOfOne: 20, maxOfMany: 40 } as const;

/**
 * Warns of descriptions that cost more than they say, since every request to a model carries all of them. A simple tool
 * is described in one sentence of 10 to 20 tokens; one with constraints and defaults in several, of 25 to 40 tokens
 * together. Warned of is what is under 10, one sentence over 20, and anything over 40. An empty list means that all is
 * well.
 */
export function lintDescriptions(
  definitions: Iterable<Pick<ToolDefinitionJson, 'name' | 'description'>>,
): readonly DescriptionWarning[] {
  const warnings: DescriptionWarning[] = [];
  assertArgument('lintDescriptions takes definitions', definitions, kindOf.iterable, 'toolkit.definitions() in there');
  for (const { name: tool, description } of definitions) {
    const tokens = estimateTokens(description);
    const message = complaint(tokens, sentences(description));
    if (message !== undefined) warnings.push({ tool, tokens, message: `${tool}: ${message}` });
  }
  return warnings;
}

function complaint(tokens: number, count: number): string | undefined {
  if (tokens < budget.min) return `about ${tokens} tokens; say in at least ${budget.min} what the tool does`;
  if (tokens > budget.maxOfMany)
    return `about ${tokens} tokens; keep to ${budget.maxOfMany}: purpose, constraints, defaults, no examples`;
  if (count > 1 || tokens <= budget.maxOfOne) return undefined;
  return (
    `about ${tokens} tokens in one sentence; keep it to ${budget.maxOfOne}, and give constraints a sentence of ` +
    'their own'
  );
}

/**
 * Tokens of a text, estimated on the safe side: a run of the letters a to z counts one per started eight letters, a run
 * of digits one per started three, any other character but white space one.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[A-Za-z]+|[0-9]+|\S/gu)) {
    if (/^[A-Za-z]/.test(piece)) tokens += Math.ceil(piece.length / 8);
    else if (/^[0-9]/.test(piece)) tokens += Math.ceil(piece.length / 3);
    else tokens += 1;
  }
  return tokens;
}

/** Parts that end with a full stop, a question or exclamation mark or a semicolon before white space or the end. */
function sentences(text: string): number {
  return text.split(/[.!?;](?=\s|$)/).filter((part) => part.trim() !== '').length;
}
