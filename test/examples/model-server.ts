import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A received request. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly tools: readonly { readonly name: string; readonly input_schema: object }[];
    readonly messages: readonly unknown[];
  };
}

/** One answer of the server: a status and a JSON body. */
export interface CannedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A model server on loopback that sends its answers one after the other. */
export class ModelServer {
  readonly requests: SeenRequest[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(answers: readonly CannedAnswer[]): Promise<ModelServer> {
    const server = createServer();
    const models = new ModelServer(server);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const answer = answers[models.requests.length] ?? { status: 500, body: { error: 'no answer left' } };
        models.requests.push({
          path: request.url ?? '',
          headers: request.headers,
          body: JSON.parse(body) as SeenRequest['body'],
        });
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
        response.end(JSON.stringify(answer.body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return models;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
