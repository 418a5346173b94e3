/** A JSON Schema whose top is an object. */
export type JsonSchemaObject = Readonly<Record<string, unknown>>;
