import type { JsonSchemaObject } from '../core/tool.js';

/** A number within the bounds of a schema: 1 where it may be, else one at or next to a bound. Whatever comes first where no simple one fits. */
export function exampleNumber(schema: JsonSchemaObject): number {
  const isWhole = schema.type === 'integer';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = numbersOf(schema);
  const low = Math.max(minimum ?? Number.NEGATIVE_INFINITY, exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  const high = Math.min(maximum ?? Number.POSITIVE_INFINITY, exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  const step = multipleOf ?? 1;
  const candidates = [
    1,
    Math.ceil(low / step) * step,
    (Math.floor(low / step) + 1) * step,
    Math.floor(high / step) * step,
    (Math.ceil(high / step) - 1) * step,
    0,
    low,
    high,
    (low + high) / 2,
  ];
  const fits = (number: number) =>
    Number.isFinite(number) &&
    (!isWhole || Number.isInteger(number)) &&
    (minimum === undefined || number >= minimum) &&
    (maximum === undefined || number <= maximum) &&
    (exclusiveMinimum === undefined || number > exclusiveMinimum) &&
    (exclusiveMaximum === undefined || number < exclusiveMaximum) &&
    (multipleOf === undefined || Number.isInteger(number / multipleOf));
  // 0 is written without a sign.
  return (candidates.find(fits) ?? 1) + 0;
}

const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

function numbersOf(schema: JsonSchemaObject): { readonly [Name in (typeof bounds)[number]]?: number } {
  return Object.fromEntries(bounds.flatMap((name) => (typeof schema[name] === 'number' ? [[name, schema[name]]] : [])));
}
