import { Ajv2020 } from 'ajv/dist/2020.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** The request of an operation. */
export interface Asked {
  readonly at?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** A raw body instead of `body`. */
  readonly text?: string;
  readonly match?: string | undefined;
  readonly token?: string | undefined;
}

/** The response. */
export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape, which has been validated against the document
  readonly body: any;
  readonly version: string | undefined;
  readonly headers: Headers;
}

type Fetch = (request: Request) => Response | Promise<Response>;

/** A client generated from the OpenAPI document alone. Throws for anything that the document does not describe. */
export class OpenApiClient {
  readonly operations = new Map<
    string,
    { readonly path: string; readonly method: string; readonly operation: Operation }
  >();
  /** Each received status, as `operation status`. */
  readonly seen = new Set<string>();
  /** All responses, as text. */
  readonly texts: string[] = [];
  readonly #fetch: Fetch;
  readonly #token: string;
  readonly #ajv = new Ajv2020({ strict: false });

  private constructor(fetch: Fetch, token: string, { paths, components }: Document) {
    this.#fetch = fetch;
    this.#token = token;
    this.#ajv.addSchema({ $id: 'document', components });
    for (const [path, methods] of Object.entries(paths))
      for (const [method, operation] of Object.entries(methods))
        this.operations.set(operation.operationId, { path, method: method.toUpperCase(), operation });
  }

  static async of(fetch: Fetch, token: string, base = 'http://api'): Promise<OpenApiClient> {
    const at = (request: Request) =>
      fetch(base === 'http://api' ? request : new Request(request.url.replace('http://api', base), request));
    const document = (await (await at(new Request('http://api/openapi.json'))).json()) as Document;
    return new OpenApiClient(at, token, document);
  }

  async call(id: string, asked: Asked = {}): Promise<Answered> {
    const known = this.operations.get(id);
    if (known === undefined) throw new Error(`the document has no operation ${id}`);
    const { path, method, operation } = known;
    const { at = {}, query = {}, body, match, token = this.#token } = asked;
    const names = (where: Parameter['in']) =>
      operation.parameters.filter((one) => one.in === where).map(({ name }) => name);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(at[name] ?? 'none'));
    if (names('path').some((name) => !path.includes(`{${name}}`)))
      throw new Error(`${id}: a parameter is not in its path`);
    const url = new URL(`http://api${filled}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const text = asked.text ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers = new Headers(text === undefined ? {} : { 'content-type': 'application/json' });
    if (token !== '') headers.set('authorization', `Bearer ${token}`);
    if (match !== undefined) headers.set('if-match', match);
    const response = await this.#fetch(
      new Request(url, { method, headers, ...(text === undefined ? {} : { body: text }) }),
    );
    return await this.#read(id, operation, response);
  }

  async #read(id: string, { responses }: Operation, response: Response): Promise<Answered> {
    const { status, headers } = response;
    const text = await response.text();
    this.texts.push(text);
    this.seen.add(`${id} ${status}`);
    const declared = responses[status];
    if (declared === undefined) throw new Error(`${id} answers ${status}, which the document does not say: ${text}`);
    const schema = declared.content?.['application/json']?.schema;
    const body = text === '' ? undefined : JSON.parse(text);
    if ((schema === undefined) !== (body === undefined))
      throw new Error(`${id} ${status}: a body where none is said, or none`);
    const absolute = JSON.parse(JSON.stringify(schema ?? {}).replaceAll('"#/', '"document#/'));
    if (schema !== undefined && !this.#ajv.validate(absolute, body))
      throw new Error(`${id} ${status}: ${this.#ajv.errorsText()} in ${text}`);
    return { status, body, headers, version: headers.get('etag') ?? undefined };
  }
}
