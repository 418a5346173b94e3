import { createPermissions } from 'toolwright';
import { type ImageModel, imageTools, openAiImages, svgImages } from 'toolwright/extras/image';
import { createHttpClient } from 'toolwright/web';
import { expect, test } from 'vitest';
import { childrenOf } from '../../src/shell/run/process-table.js';
import { sampleImages } from '../support/sample-images.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';
import { webServer } from '../support/web-server.js';

const rounds = 200;

function imaging(model: ImageModel) {
  const toolkit = testToolkit({ permissions: createPermissions({ mode: 'bypassPermissions' }) });
  toolkit.registry.register(...imageTools(model, toolkit));
  return toolkit;
}

const resources = () => process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length;

test('200 rounds with a service that end at different points leave nothing', async () => {
  const data = [{ b64_json: Buffer.from(sampleImages.png).toString('base64') }];
  let open = 0;
  const { url, requests } = await webServer((_request, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    if (requests.length % 2 === 0) response.end(JSON.stringify({ data }));
  });
  const http = createHttpClient({ allowPrivate: ['127.0.0.1'] });
  const toolkit = imaging(openAiImages({ apiKey: 'key', baseUrl: url, http }));
  const before = resources();
  const outcomes = new Set<boolean>();
  for (let round = 0; round < rounds; round++) {
    const control = new AbortController();
    const seen = requests.length;
    const made = toolkit.call('image', { prompt: `Round ${round}` }, { signal: control.signal });
    if (round % 3 > 0) await until(() => requests.length > seen);
    if (requests.length > seen && requests.length % 2 === 0) await made;
    control.abort();
    outcomes.add((await made).ok);
  }
  expect(outcomes).toEqual(new Set([true, false]));
  await until(() => open === 0 && resources() <= before);
});

test('200 drawings that end at different points or with the toolkit leave no process', async () => {
  const before = childrenOf(process.pid).length;
  const prompt = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>';
  const started = () => childrenOf(process.pid).length > before;
  for (let round = 0; round < rounds; round++) {
    const toolkit = imaging(svgImages());
    const made = toolkit.call('image', { prompt });
    if (round % 4 > 0) await until(started);
    if (round % 4 > 1) await new Promise((resolve) => setTimeout(resolve, round % 100));
    if (round % 40 === 39) expect(await made).toMatchObject({ ok: true });
    await toolkit.dispose();
    await made;
  }
  await until(() => !started());
});
