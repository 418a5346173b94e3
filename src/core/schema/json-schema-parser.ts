import type { ErrorObject, ValidateFunction } from 'ajv';
import { once } from '../support/once.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { InputIssue, ParsedInput } from './schema.js';
import { type SchemaDraft, schemaDraft } from './schema-draft.js';

/**
 * A parser for plain JSON Schema: draft 7, 2019-09 and 2020-12, see {@link schemaDraft} for which it is. What that
 * draft does not compile is read as draft 7. The validator is loaded and compiled on first use; a schema that cannot be
 * compiled, for instance for a remote `$ref`, is an issue of every input.
 */
export function jsonSchemaParser(
  tool: string,
  schema: JsonSchemaObject,
): (raw: unknown) => Promise<ParsedInput<unknown>> {
  const compiled = once(() => compileSomehow(schema));
  return async (raw) => {
    try {
      const validate = await compiled();
      return validate(raw) ? { ok: true, value: raw } : { ok: false, issues: (validate.errors ?? []).map(toIssue) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return { ok: false, issues: [{ path: [], message: `the schema of ${tool} cannot be used: ${reason}` }] };
    }
  };
}

const validators = {
  '7': async () => (await import('ajv')).Ajv,
  '2019-09': async () => (await import('ajv/dist/2019.js')).Ajv2019,
  '2020-12': async () => (await import('ajv/dist/2020.js')).Ajv2020,
} as const satisfies Record<SchemaDraft, unknown>;

/**
 * What the right draft does not compile is read as draft 7, which forgives most; where that does not help, it throws
 * what the right draft said.
 */
async function compileSomehow(schema: JsonSchemaObject): Promise<ValidateFunction> {
  const draft = schemaDraft(schema);
  try {
    return await compile(schema, draft);
  } catch (cause) {
    if (draft === '7') throw cause;
    return await compile(schema, '7').catch(() => {
      throw cause;
    });
  }
}

async function compile(schema: JsonSchemaObject, draft: SchemaDraft): Promise<ValidateFunction> {
  // An asynchronous schema would accept everything now and fail later.
  const { $schema: _dialect, $async: _, ...body } = schema;
  const Validator = await validators[draft]();
  const ajv = new Validator({
    allErrors: true,
    strict: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    ownProperties: true,
  });
  return ajv.compile(body);
}

function toIssue({ instancePath, keyword, params, message }: ErrorObject): InputIssue {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required')
    return { path: [...path, String(params.missingProperty)], message: 'is required but missing' };
  if (keyword === 'additionalProperties')
    return { path: [...path, String(params.additionalProperty)], message: 'is not a field of this tool' };
  if (keyword === 'unevaluatedProperties')
    return { path: [...path, String(params.unevaluatedProperty)], message: 'is not a field of this tool' };
  if (keyword === 'enum') return { path, message: `must be one of ${JSON.stringify(params.allowedValues)}` };
  return { path, message: message ?? keyword };
}
