/** A JSON Schema in the form of an object, not a boolean. */
export type JsonSchemaObject = Readonly<Record<string, unknown>>;
