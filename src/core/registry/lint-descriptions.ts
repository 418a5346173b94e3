import { assertArgument, kindOf } from '../support/check-values.js';
import type { ToolDefinitionJson } from './tool-definitions.js';

/** A description outside its budget. */
export interface DescriptionWarning {
  readonly tool: string;
  /** Estimated, see {@link estimateTokens}. */
  readonly tokens: number;
  /** One line for the author of the tool: the problem and its fix. */
  readonly message: string;
}

/** Tokens of a description: at least `min`, at most `maxOfOne` for one sentence and `maxOfMany` for several. */
const budget = { min: 10, maxOfOne: 20, maxOfMany: 40 } as const;

/**
 * Warns of descriptions that are too short or too long, since every request to a model includes all descriptions. A
 * simple tool needs one sentence of 10 to 20 tokens; a tool with constraints and defaults needs several sentences with
 * 25 to 40 tokens in total. Warns of fewer than 10 tokens, of a single sentence over 20 tokens, and of more than 40
 * tokens.
 */
export function lintDescriptions(
  definitions: Iterable<Pick<ToolDefinitionJson, 'name' | 'description'>>,
): readonly DescriptionWarning[] {
  const warnings: DescriptionWarning[] = [];
  assertArgument('lintDescriptions takes definitions', definitions, kindOf.iterable, 'lintDescriptions(definitions)');
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
 * Estimates the tokens of a text, rather too many than too few. A run of letters a to z counts as one token per eight
 * letters, rounded up. A run of digits counts as one token per three digits, rounded up. Any other character except
 * white space counts as one token.
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

/** The number of sentences; `.`, `!`, `?` or `;` before white space ends a sentence. */
function sentences(text: string): number {
  return text.split(/[.!?;](?=\s|$)/).filter((part) => part.trim() !== '').length;
}
