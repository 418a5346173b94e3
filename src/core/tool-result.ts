/** Facts about a result for programs and people. JSON-serialisable. */
export type ToolMetadata = Readonly<Record<string, unknown>>;

/** Binary content beside the text of a result. */
export interface Attachment {
  /** For instance `image/png`. */
  readonly mediaType: string;
  /** The bytes in base64. */
  readonly data: string;
  readonly name?: string;
}

/** The result of a tool. `output` is for the model; the other fields are for people and programs. */
export interface ToolResult<Metadata extends ToolMetadata = ToolMetadata> {
  readonly output: string;
  readonly title?: string;
  readonly metadata?: Metadata;
  readonly attachments?: readonly Attachment[];
}

/** The result that the `execute` of a definition may return: its output is text, or an object that becomes JSON. */
export interface ToolAnswer<Metadata extends ToolMetadata = ToolMetadata> extends Omit<ToolResult<Metadata>, 'output'> {
  readonly output: string | object;
}
