import type { Assessment, CallAssessment, Footprint } from './assessment.js';
import type { CallScope } from './context.js';
import { ToolError } from './error.js';
import { defaultRisk, type SideEffect } from './risk.js';
import type { SchemaLike, SchemaOutput } from './schema/input.js';
import {
  assertOptions,
  isThenable,
  kindOf,
  type OptionKinds,
  oneOf,
  withHandledRejection,
} from './support/check-values.js';
import type { ToolDefinition } from './tool-definition.js';
import type { ToolMetadata } from './tool-result.js';

/** The fields of a definition that each give one part of an assessment. */
export const assessmentParts = ['title', 'preview', 'targets', 'footprint', 'risk', 'verdict'] as const;

/**
 * Makes the function that assesses the calls of a tool, from `assess` of the definition or from its functions for
 * single parts. The function throws `execution_failed` for an invalid assessment: otherwise a misspelt field name, such
 * as `verdct`, would silently drop the verdict.
 */
export function makeAssess<Schema extends SchemaLike, Metadata extends ToolMetadata>(
  name: string,
  sideEffect: SideEffect,
  definition: ToolDefinition<Schema, Metadata>,
): (input: SchemaOutput<Schema>, scope: CallScope) => CallAssessment | Promise<CallAssessment> {
  const [usualFootprint, usualRisk] = [defaultFootprint(sideEffect), defaultRisk(sideEffect)];
  const complete = (given: Assessment): CallAssessment => {
    try {
      assertOptions(`The assessment of ${name}`, given, assessmentKinds);
    } catch (cause) {
      throw new ToolError('execution_failed', ToolError.from(cause).message, { cause });
    }
    const { title = name, footprint = usualFootprint, risk = usualRisk, preview, targets, verdict, notes } = given;
    return { title, footprint, risk, preview, targets, verdict, notes };
  };
  if ([definition.assess, ...assessmentParts.map((part) => definition[part])].every((part) => part === undefined))
    return () => ({ title: name, footprint: usualFootprint, risk: usualRisk });
  return (input, scope) => {
    const given =
      definition.assess === undefined ? assessByParts(definition, input, scope) : definition.assess(input, scope);
    return isThenable(given) ? given.then(complete) : complete(given);
  };
}

function assessByParts<Schema extends SchemaLike, Metadata extends ToolMetadata>(
  definition: ToolDefinition<Schema, Metadata>,
  input: SchemaOutput<Schema>,
  scope: CallScope,
): Assessment | Promise<Assessment> {
  const title = readTitle(definition, input);
  const preview = definition.preview && (() => definition.preview?.(input, scope));
  const risk = withHandledRejection(definition.risk?.(input));
  const footprint = withHandledRejection(definition.footprint?.(input, scope));
  const targets = withHandledRejection(definition.targets?.(input, scope));
  const verdict = definition.verdict?.(input, scope);
  if (!isThenable(footprint) && !isThenable(targets) && !isThenable(verdict))
    return { title, preview, risk, footprint, targets, verdict };
  return Promise.all([footprint, targets, verdict]).then(([footprint, targets, verdict]) => {
    return { title, preview, risk, footprint, targets, verdict };
  });
}

/** A `title` function that fails must not refuse the call, so the default title is used. */
function readTitle<Input>(definition: { title?: ((input: Input) => unknown) | undefined }, input: Input) {
  try {
    const given = withHandledRejection(definition.title?.(input));
    return typeof given === 'string' ? given : undefined;
  } catch {
    return undefined;
  }
}

const assessmentKinds: OptionKinds<Assessment> = {
  title: kindOf.anyText,
  preview: {
    takes: 'a text or a function',
    holds: (value) => kindOf.anyText.holds(value) || kindOf.callback.holds(value),
  },
  targets: kindOf.list,
  footprint: {
    takes: "{ reads, writes }, each 'nothing', 'everything' or a list of paths and keys",
    holds: (value) => isTouched((value as Footprint | null)?.reads) && isTouched((value as Footprint | null)?.writes),
  },
  risk: oneOf('none', 'low', 'medium', 'high', 'critical'),
  // The permission stage checks the verdict, and denies the call if the verdict is invalid.
  verdict: kindOf.anything,
  notes: kindOf.texts,
};

function isTouched(value: unknown): boolean {
  return value === 'nothing' || value === 'everything' || kindOf.texts.holds(value);
}

const readsEverything: Footprint = { reads: 'everything', writes: 'nothing' };
const touchesNothing: Footprint = { reads: 'nothing', writes: 'nothing' };
const writesEverything: Footprint = { reads: 'everything', writes: 'everything' };

function defaultFootprint(sideEffect: SideEffect): Footprint {
  if (sideEffect === 'none' || sideEffect === 'readonly') return readsEverything;
  return sideEffect === 'network' ? touchesNothing : writesEverything;
}
