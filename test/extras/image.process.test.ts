import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createPermissions } from 'toolwright';
import { geminiImages, type ImageModel, imageTools, openAiImages, svgImages } from 'toolwright/extras/image';
import { createHttpClient } from 'toolwright/web';
import { describe, expect, test } from 'vitest';
import { childrenOf } from '../../src/shell/run/process-table.js';
import { eachRow } from '../support/each-row.js';
import { sampleImages } from '../support/sample-images.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';
import { webServer } from '../support/web-server.js';

const apiKey = 'very-private-key';
const png = Buffer.from(sampleImages.png).toString('base64');
const http = createHttpClient({ allowPrivate: ['127.0.0.1'], limits: { timeoutMs: 60_000 } });

async function imaging(model: ImageModel) {
  const toolkit = testToolkit({ permissions: createPermissions({ mode: 'bypassPermissions' }) });
  toolkit.registry.register(...imageTools(model, toolkit));
  const { root } = toolkit.files;
  await writeFile(`${root}/photo.png`, sampleImages.png);
  return { toolkit, root };
}

/** A service on this machine, and the tools that use it. */
async function served(make: typeof openAiImages, serve: RequestListener) {
  const { url, requests } = await webServer(serve);
  return { requests, ...(await imaging(make({ apiKey, baseUrl: `${url}/v1/`, http }))) };
}

const json = (value: unknown): RequestListener => {
  return (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const bodyOf = (request: { readonly body: string } | undefined): unknown => JSON.parse(request?.body ?? 'null');

test('OpenAI gets its request format for new images, changed ones and descriptions', async () => {
  const created = await served(openAiImages, json({ created: 1, data: [{ b64_json: png }, { b64_json: png }] }));
  const input = { prompt: 'A cat', n: 2, size: '1536x1024', format: 'png' };
  expect((await created.toolkit.call('image', input)).output).toContain(`Made ${created.root}/generated/a-cat-2.png`);
  expect(readFileSync(`${created.root}/generated/a-cat.png`)).toEqual(Buffer.from(png, 'base64'));
  expect(created.requests).toMatchObject([
    { method: 'POST', url: '/v1/images/generations', headers: { authorization: `Bearer ${apiKey}` } },
  ]);
  const wanted = { model: 'gpt-image-2', prompt: 'A cat', n: 2, size: '1536x1024', output_format: 'png' };
  expect(bodyOf(created.requests[0])).toEqual(wanted);

  const path = `${created.root}/photo.png`;
  await created.toolkit.call('image', { prompt: 'A cat', reference_images: [path] });
  expect(created.requests[1]?.url).toBe('/v1/images/edits');
  const image_url = `data:image/png;base64,${png}`;
  expect(bodyOf(created.requests[1])).toEqual({ model: 'gpt-image-2', prompt: 'A cat', n: 1, images: [{ image_url }] });

  const seen = await served(openAiImages, json({ choices: [{ message: { role: 'assistant', content: 'A dot.' } }] }));
  const result = await seen.toolkit.call('analyze_image', { path: `${seen.root}/photo.png`, prompt: 'What is it?' });
  expect(result.output).toMatch(/What OpenAI sees in .*\n\nA dot\.$/);
  const content = [
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: image_url } },
  ];
  expect(bodyOf(seen.requests[0])).toEqual({ model: 'gpt-5.4-mini', messages: [{ role: 'user', content }] });
  expect(seen.requests[0]?.url).toBe('/v1/chat/completions');
});

test('Gemini gets its request format, once for each image', async () => {
  const parts = [{ text: 'Here it is' }, { inlineData: { mimeType: 'image/png', data: png } }];
  const created = await served(geminiImages, json({ candidates: [{ content: { role: 'model', parts } }] }));
  const path = `${created.root}/photo.png`;
  const input = { prompt: 'A cat', n: 2, size: '1920x1080', reference_images: [path] };
  expect(await created.toolkit.call('image', input)).toMatchObject({ attachments: [{}, {}] });
  expect(created.requests).toHaveLength(2);
  expect(created.requests[0]).toMatchObject({
    url: '/v1/models/gemini-3.1-flash-image:generateContent',
    headers: { 'x-goog-api-key': apiKey },
  });
  expect(bodyOf(created.requests[0])).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'A cat' }, { inlineData: { mimeType: 'image/png', data: png } }] }],
    generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '16:9' } },
  });
  const formatted = await created.toolkit.call('image', { prompt: 'A cat', format: 'webp' });
  expect(formatted).toMatchObject({ error: { code: 'invalid_input' } });
  expect(created.requests).toHaveLength(2);

  const answer = [{ text: 'Hm.', thought: true }, { text: 'A ' }, { text: 'dot.' }];
  const seen = await served(geminiImages, json({ candidates: [{ content: { parts: answer } }] }));
  const result = await seen.toolkit.call('analyze_image', { path: `${seen.root}/photo.png`, prompt: 'What is it?' });
  expect(result.output).toMatch(/What Gemini sees in .*\n\nA dot\.$/);
  expect(seen.requests[0]?.url).toBe('/v1/models/gemini-3.5-flash:generateContent');
});

test('images that Gemini made are returned if it fails for others', async () => {
  let answered = 0;
  const { toolkit } = await served(geminiImages, (request, response) => {
    answered += 1;
    if (answered !== 2) return void response.writeHead(500).end();
    json({ candidates: [{ content: { parts: [{ inlineData: { data: png } }] } }] })(request, response);
  });
  const { output } = await toolkit.call('image', { prompt: 'A cat', n: 3 });
  expect(output).toContain('[1 of 3: the image model made no more]');
});

test('a failing service is reported without the key, and leaves no file', async () => {
  const failing = (status: number, headers = {}): RequestListener => {
    const error = JSON.stringify({ error: { message: `Incorrect API key provided: ${apiKey}` } });
    return (_request, response) => void response.writeHead(status, headers).end(error);
  };
  const rows: readonly (readonly [serve: RequestListener, code: string, message: string])[] = [
    [failing(400), 'http_error', 'leave size and format out'],
    [failing(401), 'http_error', 'rejected the API key'],
    [failing(429, { 'retry-after': '7' }), 'rate_limited', 'Too many requests'],
    [failing(500), 'http_error', 'status 500'],
    [failing(302, { location: 'http://127.0.0.2/' }), 'url_blocked', 'failed: url_blocked. Continue without it.'],
    [failing(200), 'execution_failed', 'no image'],
    [(_request, response) => void response.end('<html>garbage'), 'execution_failed', 'no image'],
    [json([]), 'execution_failed', 'no image'],
    [json({ data: [null, { b64_json: 7 }], candidates: [{ content: null }] }), 'execution_failed', 'no image'],
    [
      json({ data: [{ b64_json: 'AAAA' }], candidates: [{ content: { parts: [{ inlineData: { data: 'AAAA' } }] } }] }),
      'execution_failed',
      'no whole image',
    ],
    [(_request, response) => void response.destroy(), 'network_failed', 'failed: network_failed'],
  ];
  await eachRow(rows, async ([serve, code, message]) => {
    for (const make of [openAiImages, geminiImages]) {
      const { toolkit, root } = await served(make, serve);
      const made = await toolkit.call('image', { prompt: 'A cat' });
      expect(made).toMatchObject({ ok: false, error: { code } });
      expect(made.output).toContain(message);
      expect(await toolkit.files.list()).toEqual([`${root}/photo.png`]);
      const seen = await toolkit.call('analyze_image', { path: `${root}/photo.png`, prompt: 'What?' });
      expect(seen.ok).toBe(false);
      expect(JSON.stringify([made, seen])).not.toContain(apiKey);
    }
  });
});

test('the reason why Gemini makes no image is reported', async () => {
  const blocked = await served(geminiImages, json({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }));
  expect((await blocked.toolkit.call('image', { prompt: 'A' })).output).toContain('no image (PROHIBITED_CONTENT)');
  const ended = await served(geminiImages, json({ candidates: [{ finishReason: 'IMAGE_SAFETY' }] }));
  expect((await ended.toolkit.call('image', { prompt: 'A' })).output).toContain('no image (IMAGE_SAFETY)');
  const said = await served(geminiImages, json({ candidates: [{ finishReason: `${apiKey}` }] }));
  expect((await said.toolkit.call('image', { prompt: 'A' })).output).not.toContain(apiKey);
});

test('the request to a service that hangs ends when the call is aborted', async () => {
  for (const make of [openAiImages, geminiImages]) {
    let open = 0;
    let closed = 0;
    const { toolkit } = await served(make, (_request, response) => {
      open += 1;
      response.on('close', () => {
        closed += 1;
      });
    });
    const control = new AbortController();
    const made = toolkit.call('image', { prompt: 'A cat', n: 2 }, { signal: control.signal });
    await until(() => open > 0);
    control.abort();
    expect(await made).toMatchObject({ error: { code: 'interrupted' } });
    await until(() => closed === open);
  }
});

describe('SVG', () => {
  const svg = (content: string, more = 'width="40" height="20"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" ${more}>${content}</svg>`;
  const circle = '<title>A Dot</title><circle cx="10" cy="10" r="5" fill="red"/>';

  test('is drawn in each format and size', async () => {
    const { toolkit, root } = await imaging(svgImages());
    const rows = [
      [{}, `${root}/generated/a-dot.png`, [40, 20]],
      [{ format: 'webp' }, `${root}/generated/a-dot.webp`, [40, 20]],
      [{ format: 'jpeg', size: '400x400' }, `${root}/generated/a-dot.jpg`, [400, 400]],
    ] as const;
    for (const [input, filePath, [width, height]] of rows) {
      const made = await toolkit.call('image', { prompt: svg(circle), ...input });
      expect(made).toMatchObject({
        ok: true,
        metadata: { images: [{ filePath, width, height }] },
        attachments: [{}],
      });
    }
    const gradient =
      '<linearGradient id="a"><stop stop-color="red"/></linearGradient><rect fill="url(#a)" width="9" height="9"/>';
    expect(await toolkit.call('image', { prompt: svg(gradient, 'viewBox="0 0 9 9"') })).toMatchObject({ ok: true });
  });

  test('that cannot be drawn is reported', async () => {
    const { toolkit } = await imaging(svgImages());
    const rows = [
      [svg('<rect'), 'could not be drawn'],
      [svg('<rect></circle>'), 'could not be drawn'],
      [svg('', 'width="50000" height="50000"'), 'pixel limit'],
    ] as const;
    await eachRow(rows, async ([prompt, message]) => {
      const made = await toolkit.call('image', { prompt });
      expect(made).toMatchObject({ error: { code: 'invalid_input' } });
      expect(made.output).toContain(message);
    });
  });

  test('needs the package sharp', async () => {
    const { toolkit } = await imaging(svgImages('/'));
    const made = await toolkit.call('image', { prompt: svg(circle) });
    expect(made).toMatchObject({ error: { code: 'not_configured' } });
    expect(made.output).toContain('npm install sharp');
  });

  test('that takes hours to draw ends with the call, and leaves nothing', async () => {
    const { toolkit } = await imaging(svgImages());
    const before = childrenOf(process.pid).length;
    const nested = [1, 2, 3, 4, 5, 6].map(
      (level) => `<g id="a${level}">${`<use href="#a${level - 1}"/>`.repeat(10)}</g>`,
    );
    const prompt = svg(
      `<defs><rect id="a0" width="1000" height="1000" opacity="0.5"/>${nested.join('')}</defs><use href="#a5"/>`,
      'width="2000" height="2000"',
    );
    const control = new AbortController();
    const made = toolkit.call('image', { prompt }, { signal: control.signal });
    await until(() => childrenOf(process.pid).length > before);
    control.abort();
    expect(await made).toMatchObject({ error: { code: 'interrupted' } });
    await until(() => childrenOf(process.pid).length === before);
  });
});
