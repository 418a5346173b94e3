import type { RequestListener } from 'node:http';
import { openAiEmbedder } from 'toolwright/managed';
import { createHttpClient } from 'toolwright/web';
import { expect, test } from 'vitest';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';
import { until } from '../support/until.js';
import { webServer } from '../support/web-server.js';

const apiKey = 'very-private-key';
const http = createHttpClient({ allowPrivate: ['127.0.0.1'], limits: { timeoutMs: 60_000 } });

async function served(serve: RequestListener) {
  const { url, requests } = await webServer(serve);
  return { embedder: openAiEmbedder({ url: `${url}/v1/`, apiKey, model: 'm', dimensions: 2, http }), requests };
}

const answering =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

test('requests have the format of OpenAI, and vectors keep their order', async () => {
  const data = [
    { object: 'embedding', index: 1, embedding: [0, 1] },
    { object: 'embedding', index: 0, embedding: [1, 0] },
  ];
  const { embedder, requests } = await served(answering(200, { object: 'list', data, model: 'm' }));
  expect(await embedder.embed(['tea', 'coffee'], callScope())).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(requests).toMatchObject([{ url: '/v1/embeddings', headers: { authorization: `Bearer ${apiKey}` } }]);
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ model: 'm', input: ['tea', 'coffee'], dimensions: 2 });
});

test('any other response is an error without the key', () =>
  eachRow(
    [
      [answering(401, { error: { message: `bad key ${apiKey}` } }), 'http_error'],
      [answering(429, {}), 'rate_limited'],
      [answering(500, apiKey), 'http_error'],
      [answering(200, { data: [{ index: 0, embedding: [1] }] }), 'http_error'],
      [answering(200, { data: [{ index: 0, embedding: ['1'] }, { index: 1 }] }), 'http_error'],
      [answering(200, apiKey), 'http_error'],
    ] as const,
    async ([serve, code]) => {
      const { embedder } = await served(serve);
      const failed = await embedder.embed(['a', 'b'], callScope()).catch((thrown: unknown) => thrown);
      expect(failed).toMatchObject({ code });
      expect(JSON.stringify(failed) + String(failed)).not.toContain(apiKey);
    },
  ));

test('a service that hangs ends with the call', async () => {
  const { embedder, requests } = await served(() => {});
  const abort = new AbortController();
  const asked = embedder.embed(['a'], { ...callScope(), signal: abort.signal });
  await until(() => requests.length > 0);
  abort.abort();
  await expect(asked).rejects.toBeDefined();
});
