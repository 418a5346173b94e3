import type { RequestListener } from 'node:http';
import { createPermissions } from 'toolwright';
import { elevenLabsSpeech, miniMaxSpeech, openAiSpeech, ttsTool } from 'toolwright/extras/tts';
import { createHttpClient } from 'toolwright/web';
import { expect, test } from 'vitest';
import type { HttpClient } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';
import { type SeenRequest, webServer } from '../support/web-server.js';

const apiKey = 'very-private-key';
const mp3 = Buffer.from('ID3 and the sound');
const makes = [openAiSpeech, elevenLabsSpeech, miniMaxSpeech] as const;

/** A service on this machine that replaces one on the web, with the same paths, and the tool that uses it. */
async function served(make: (typeof makes)[number], serve: RequestListener) {
  const { url, requests } = await webServer(serve);
  const client = createHttpClient({ allowPrivate: ['127.0.0.1'], limits: { timeoutMs: 60_000 } });
  const here: HttpClient = {
    ...client,
    post: (post, scope) => client.post({ ...post, url: post.url.replace(/^https:\/\/[^/]+/, url) }, scope),
  };
  const seen: unknown[] = [];
  const toolkit = testToolkit({
    permissions: createPermissions({ allow: ['tts'] }),
    onEvent: (event) => seen.push(event),
  });
  toolkit.registry.register(ttsTool(make({ apiKey, http: here }), toolkit));
  const call = async (input: object = {}, signal?: AbortSignal) => {
    const result = await toolkit.call('tts', { text: 'Hello', ...input }, { signal });
    seen.push(result);
    return result;
  };
  return { toolkit, requests, seen, call };
}

const bodyOf = ({ body }: SeenRequest): unknown => JSON.parse(body);

test('each service gets its request format, and its sound becomes a file', async () => {
  const plain: RequestListener = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(mp3);
  const hexadecimal: RequestListener = (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: { audio: mp3.toString('hex'), status: 2 }, base_resp: { status_code: 0 } }));
  const rows: readonly (readonly [make: (typeof makes)[number], RequestListener, expected: object, body: object])[] = [
    [
      openAiSpeech,
      plain,
      { url: '/v1/audio/speech', headers: { authorization: `Bearer ${apiKey}` } },
      { model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'nova', response_format: 'mp3', speed: 1.1 },
    ],
    [
      elevenLabsSpeech,
      plain,
      { url: '/v1/text-to-speech/nova?output_format=mp3_44100_128', headers: { 'xi-api-key': apiKey } },
      { text: 'Hello', model_id: 'eleven_multilingual_v2', voice_settings: { speed: 1.1 } },
    ],
    [
      miniMaxSpeech,
      hexadecimal,
      { url: '/v1/t2a_v2', headers: { authorization: `Bearer ${apiKey}` } },
      {
        ...{ model: 'speech-02-hd', text: 'Hello', stream: false },
        voice_setting: { voice_id: 'nova', speed: 1.1 },
        audio_setting: { format: 'mp3', sample_rate: 32_000, channel: 1 },
      },
    ],
  ];
  await eachRow(
    rows,
    async ([make, serve, expected, body]) => {
      const { toolkit, requests, call } = await served(make, serve);
      const { output, ok } = await call({ voice: 'nova', speed: 1.1, format: 'mp3' });
      expect([ok, output]).toEqual([true, `Spoken into ${toolkit.files.root}/generated/hello.mp3 (mp3, 17 bytes)`]);
      expect(requests).toMatchObject([{ method: 'POST', ...expected }]);
      expect(requests.map(bodyOf)).toEqual([body]);
    },
    ([make]) => make.name,
  );
});

test('a failing service is reported without the key, and leaves no file', async () => {
  const failing = (status: number, headers = {}): RequestListener => {
    return (_request, response) =>
      void response.writeHead(status, headers).end(JSON.stringify({ error: { message: `wrong key ${apiKey}` } }));
  };
  const rows: readonly (readonly [serve: RequestListener, code: string, message: string])[] = [
    [failing(400), 'http_error', 'leave voice and format out'],
    [failing(401), 'http_error', 'rejected the API key'],
    [failing(403), 'http_error', 'rejected the API key'],
    [failing(429, { 'retry-after': '7' }), 'rate_limited', 'Too many requests'],
    [failing(500), 'http_error', 'status 500'],
    [failing(302, { location: 'http://127.0.0.2/' }), 'url_blocked', 'failed: url_blocked. Continue without it.'],
    [failing(200), 'execution_failed', 'no sound'],
    [(_request, response) => void response.end('<html>garbage'), 'execution_failed', 'no sound'],
    [(_request, response) => void response.end(), 'execution_failed', 'no sound'],
    [(_request, response) => void response.destroy(), 'network_failed', 'failed: network_failed'],
    [(_request, response) => void response.socket?.end('garbage\r\n\r\n'), 'network_failed', 'failed: network_failed'],
    [
      (_request, response) =>
        void response.writeHead(200, { 'content-length': '99' }).write(mp3, () => response.destroy()),
      'network_failed',
      'failed: network_failed.',
    ],
  ];
  await eachRow(
    rows,
    async ([serve, code, message]) => {
      for (const make of makes) {
        const { toolkit, requests, seen, call } = await served(make, serve);
        const result = await call();
        expect(result).toMatchObject({ ok: false, error: { code } });
        expect(result.output).toContain(message);
        expect(requests.length).toBe(1);
        expect(await toolkit.files.list()).toEqual([]);
        expect(JSON.stringify(seen)).not.toContain(apiKey);
      }
    },
    ([, , message]) => message,
  );
});

test('the request to a service that hangs ends when the call is aborted', async () => {
  for (const make of makes) {
    let isClosed = false;
    const { requests, call } = await served(make, (_request, response) => {
      response.on('close', () => {
        isClosed = true;
      });
    });
    const control = new AbortController();
    const spoken = call({}, control.signal);
    await until(() => requests.length === 1);
    control.abort();
    expect(await spoken).toMatchObject({ error: { code: 'interrupted' } });
    await until(() => isClosed);
  }
});
