import { Readable } from 'node:stream';
import { type createPermissions, createToolkit, type HttpPost, type HttpResponse, ToolError } from 'toolwright';
import {
  speechChain as chainByTimers,
  type EdgeTtsConnection,
  type EdgeTtsPackage,
  edgeSpeech,
  elevenLabsSpeech,
  localSpeech,
  miniMaxSpeech,
  openAiSpeech,
  type Speech,
  speechChain,
  ttsTool,
} from 'toolwright/extras/tts';
import { memoryFiles } from 'toolwright/testing';
import { createHttpClient } from 'toolwright/web';
import { describe, expect, test } from 'vitest';
import type { HttpClient } from '../../src/index.js';
import { askingToolkit } from '../support/asking-toolkit.js';
import { eachRow } from '../support/each-row.js';
import { heldTimers } from '../support/held-timers.js';
import { webWorld } from '../support/web-world.js';

const caller = { sessionId: 'session_1' };
const apiKey = 'very-private-key';
const secret = ['ghp', 'roW0YFxDqcPLFAKEhnn6CpteeaZYNRvC9ndx'].join('_');
const mp3 = new TextEncoder().encode('ID3 and the sound');
const wav = new TextEncoder().encode('RIFF....WAVEfmt and the sound');

/** A toolkit with the tool, and its questions. */
function speaking(speech: Speech, options: Parameters<typeof createPermissions>[0] = {}) {
  const { toolkit, asked } = askingToolkit({ 'generated/taken.mp3': 'mine' }, options);
  toolkit.registry.register(ttsTool(speech, toolkit));
  return { toolkit, asked, call: (input: object) => toolkit.call('tts', input, { caller }) };
}

function speechOf(answer: () => unknown, name = 'a voice') {
  const requests: object[] = [];
  const speech: Speech = {
    name,
    speak: async (request) => {
      requests.push(request);
      return (await answer()) as Uint8Array;
    },
  };
  return { requests, speech };
}

/** An HTTP client that answers every POST equally, and the posted bodies. */
function web(answer: (post: HttpPost) => Partial<HttpResponse> | Promise<never>) {
  const posts: HttpPost[] = [];
  const http = {
    get: () => Promise.reject(new Error('unused')),
    post: async (post: HttpPost): Promise<HttpResponse> => {
      posts.push(post);
      const given = await answer(post);
      return { url: post.url, status: 200, headers: {}, mediaType: 'x', body: mp3, redirects: [], ...given };
    },
  };
  return { posts, http };
}

test('speech is a new file, never overwrites one, and can be undone', async () => {
  const { requests, speech } = speechOf(() => mp3);
  const { toolkit, asked, call } = speaking(speech);
  const first = await call({ text: 'Good morning, all!', voice: 'ada', speed: 1.5 });
  expect(first).toMatchObject({
    ok: true,
    output: `Spoken into /workspace/generated/good-morning-all.mp3 (mp3, ${mp3.length} bytes)`,
    metadata: { filePath: '/workspace/generated/good-morning-all.mp3', format: 'mp3', size: mp3.length },
  });
  expect(requests).toEqual([{ text: 'Good morning, all!', voice: 'ada', speed: 1.5 }]);
  expect(asked[0]).toMatchObject({ title: 'Speak: Good morning, all!' });
  expect((await call({ text: 'Good morning, all!' })).output).toContain('/generated/good-morning-all-2.mp3');
  expect((await call({ text: 'Taken' })).output).toContain('/generated/taken-2.mp3');
  expect((await call({ text: '…' })).output).toContain('/generated/speech.mp3');
  expect(await toolkit.files.read('/workspace/generated/taken.mp3')).toMatchObject({ text: 'mine' });
  expect(toolkit.fileChanges(caller).map(({ operation }) => operation)).toEqual(Array(4).fill('create'));
});

test('files that a toolkit creates stay inside its roots', async () => {
  const { toolkit } = speaking(speechOf(() => mp3).speech);
  expect(toolkit.files.root).toBe('/workspace');
  const rows = [
    ['/etc/a.mp3', 'path_outside_root'],
    ['/workspace/../a.mp3', 'path_outside_root'],
    ['generated/a.mp3', 'path_not_absolute'],
    ['/workspace/generated', 'not_a_file'],
  ] as const;
  await eachRow(rows, async ([path, code]) => {
    await expect(toolkit.files.create(path, mp3)).rejects.toMatchObject({ code });
  });
});

test('simultaneous calls get separate files', async () => {
  const { call } = speaking(speechOf(() => mp3).speech);
  const results = await Promise.all(Array.from({ length: 5 }, () => call({ text: 'Hello' })));
  expect(new Set(results.map(({ metadata }) => metadata?.filePath)).size).toBe(5);
});

test('credentials are neither spoken nor shown, also not in the name of the file', async () => {
  const { requests, speech } = speechOf(() => mp3);
  const { asked, call } = speaking(speech);
  const result = await call({ text: `It is ${secret}`, voice: secret });
  expect(result.ok).toBe(true);
  expect(requests).toHaveLength(1);
  const seen = JSON.stringify([requests, asked, result]).toLowerCase();
  expect(seen).not.toContain(secret.slice(4, 20).toLowerCase());
});

test('rules for the tool and for the file apply', async () => {
  const rows = [
    [{ onAsk: () => 'deny' }, 'permission_denied'],
    [{ deny: ['tts'] }, 'permission_denied'],
    [{ deny: ['Edit(generated/**)'] }, 'permission_denied'],
    [{ deny: ['Edit(/workspace/generated/*.mp3)'] }, 'permission_denied'],
  ] as const;
  await eachRow(rows, async ([options, code]) => {
    const { requests, speech } = speechOf(() => mp3);
    const { call } = speaking(speech, options as object);
    expect(await call({ text: 'Hello' })).toMatchObject({ error: { code } });
    expect(requests).toEqual([]);
  });
});

test('an invalid input gets the expected form', async () => {
  const { requests, speech } = speechOf(() => mp3);
  const { call } = speaking(speech);
  const rows: readonly (readonly [input: object, message: string])[] = [
    [{}, 'text'],
    [{ text: ' ' }, 'not empty'],
    [{ text: 'x'.repeat(4_001) }, 'at most 4000 characters'],
    [{ text: 'x', format: 'mp4' }, '"mp3", "wav", "opus", "flac"'],
    [{ text: 'x', speed: 0.4 }, 'at least 0.5'],
    [{ text: 'x', speed: 2.1 }, 'at most 2'],
  ];
  await eachRow(rows, async ([input, message]) => {
    const answer = await call(input);
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(answer.output).toContain(message);
  });
  expect(requests).toEqual([]);
});

test('invalid sound and other formats are not stored', async () => {
  const rows = [
    [() => 'sound', {}, 'answered with no sound file'],
    [() => undefined, {}, 'answered with no sound file'],
    [() => new Uint8Array(), {}, 'answered with no sound file'],
    [() => new TextEncoder().encode('<html>'), {}, 'answered with no sound file'],
    [() => mp3, { format: 'wav' }, 'mp3 in place of wav'],
    [() => Promise.reject(new Error('no line')), {}, 'the speech service failed: no line'],
  ] as const;
  await eachRow(rows, async ([answer, input, message]) => {
    const { toolkit, call } = speaking(speechOf(answer).speech);
    const result = await call({ text: 'Hello', ...input });
    expect(result).toMatchObject({ ok: false, error: { code: 'execution_failed' } });
    expect(result.output).toContain(message);
    expect(toolkit.fileChanges(caller)).toEqual([]);
  });
});

test('mistakes of the program are TypeErrors without the key', () => {
  const toolkit = createToolkit({ root: '/workspace', hosts: { files: memoryFiles({ root: '/workspace' }) } });
  const rows = [
    [() => ttsTool({} as never, toolkit), 'ttsTool(localSpeech(), toolkit)'],
    [() => ttsTool(localSpeech(), {} as never), 'toolkit last'],
    [() => openAiSpeech({} as never), 'openAiSpeech: pass apiKey'],
    [() => openAiSpeech({ apiKey: `${apiKey}\n` }), 'openAiSpeech: apiKey takes'],
    [() => openAiSpeech({ apiKey, baseUrl: 'ftp://x' }), 'baseUrl takes'],
    [() => elevenLabsSpeech({ apiKey, modle: 'x' } as never), 'model'],
    [() => miniMaxSpeech({ apiKey, http: {} as never }), 'http takes'],
    [() => localSpeech({ file: 7 } as never), 'file takes'],
    [() => speechChain([]), 'speechChain([openAiSpeech({ apiKey }), localSpeech()])'],
    [() => speechChain([{} as never]), 'speechChain takes speech services'],
  ] as const;
  for (const [make, message] of rows) {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(apiKey);
  }
});

const hexOf = (bytes: Uint8Array) => ({
  data: { audio: Buffer.from(bytes).toString('hex') },
  base_resp: { status_code: 0 },
});
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('a service on the web', () => {
  test('gets the text, voice, format and speed in its own format', async () => {
    const input = { text: 'Hello', voice: 'ada', format: 'mp3', speed: 1.1 };
    const rows = [
      [
        openAiSpeech,
        'https://api.openai.com/v1/audio/speech',
        { authorization: `Bearer ${apiKey}` },
        { model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'ada', response_format: 'mp3', speed: 1.1 },
      ],
      [
        elevenLabsSpeech,
        'https://api.elevenlabs.io/v1/text-to-speech/ada?output_format=mp3_44100_128',
        { 'xi-api-key': apiKey },
        { text: 'Hello', model_id: 'eleven_multilingual_v2', voice_settings: { speed: 1.1 } },
      ],
      [
        miniMaxSpeech,
        'https://api.minimax.io/v1/t2a_v2',
        { authorization: `Bearer ${apiKey}` },
        {
          ...{ model: 'speech-02-hd', text: 'Hello', stream: false },
          voice_setting: { voice_id: 'ada', speed: 1.1 },
          audio_setting: { format: 'mp3', sample_rate: 32_000, channel: 1 },
        },
      ],
    ] as const;
    await eachRow(rows, async ([make, url, headers, body]) => {
      const { posts, http } = web(() => (make === miniMaxSpeech ? { body: json(hexOf(mp3)) } : {}));
      const result = await speaking(make({ apiKey, http })).call(input);
      expect(result.output).toContain(`hello.mp3 (mp3, ${mp3.length} bytes)`);
      expect(posts).toMatchObject([{ url, headers: { 'content-type': 'application/json', ...headers } }]);
      expect(JSON.parse(String(posts[0]?.body))).toEqual(body);
    });
  });

  test('that fails is reported without the key, and leaves no file', async () => {
    const failing = (status: number, retryAfterMs?: number) => () =>
      Promise.reject(
        new ToolError('http_error', `${apiKey} is wrong`, {
          metadata: { status, headers: { 'x-key': apiKey }, body: `the key ${apiKey}` },
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        }),
      );
    const rows = [
      [failing(400), 'http_error', 'voice may be unknown'],
      [failing(401), 'http_error', 'rejected the API key'],
      [failing(429, 5), 'rate_limited', 'Too many requests'],
      [failing(500), 'http_error', 'status 500'],
      [() => Promise.reject(new ToolError('timeout', `no answer to ${apiKey}`)), 'timeout', 'failed: timeout'],
      [() => Promise.reject(new Error(apiKey)), 'execution_failed', 'failed: execution_failed'],
      [() => ({ body: json({ error: apiKey }) }), 'execution_failed', 'no sound'],
      [() => ({ status: 302, headers: { location: 'https://other.example' } }), 'http_error', 'status 302'],
      [() => ({ endsEarly: true }), 'http_error', 'no complete response'],
    ] as const;
    await eachRow(rows, async ([answer, code, message]) => {
      for (const make of [openAiSpeech, elevenLabsSpeech, miniMaxSpeech]) {
        const { toolkit, call } = speaking(make({ apiKey, http: web(answer).http }));
        const result = await call({ text: 'Hello' });
        expect(result).toMatchObject({ ok: false, error: { code } });
        expect(result.output).toContain(message);
        expect(JSON.stringify(result)).not.toContain(apiKey);
        expect(toolkit.fileChanges(caller)).toEqual([]);
      }
    });
  });

  test('is not called for unsupported formats', async () => {
    const { posts, http } = web(() => ({}));
    const rows = [
      [elevenLabsSpeech({ apiKey, http }), { format: 'wav' }, 'ElevenLabs makes mp3, opus'],
      [elevenLabsSpeech({ apiKey, http }), { voice: '../user' }, 'takes the id of a voice'],
      [elevenLabsSpeech({ apiKey, http }), { speed: 2 }, 'takes 0.7 to 1.2'],
      [miniMaxSpeech({ apiKey, http }), { format: 'opus' }, 'MiniMax makes mp3, wav, flac'],
      [localSpeech({ file: '/none' }), { format: 'mp3' }, 'espeak-ng makes wav'],
      [localSpeech({ file: '/none' }), { voice: '-f' }, 'voice: espeak-ng takes'],
      [localSpeech({ file: '/none' }), { voice: '../../etc/passwd' }, 'voice: espeak-ng takes'],
    ] as const;
    await eachRow(rows, async ([speech, input, message]) => {
      const result = await speaking(speech).call({ text: 'Hello', ...input });
      expect(result).toMatchObject({ error: { code: 'invalid_input' } });
      expect(result.output).toContain(message);
    });
    expect(posts).toEqual([]);
  });

  test('named MiniMax reports failures in its response body', async () => {
    const rows = [
      [{ base_resp: { status_code: 1002, status_msg: apiKey } }, 'rate_limited'],
      [{ base_resp: { status_code: 2013, status_msg: apiKey } }, 'invalid_input'],
      [{ base_resp: { status_code: 9, status_msg: apiKey } }, 'http_error'],
      [{ base_resp: { status_code: 0 }, data: { audio: 'xyz' } }, 'execution_failed'],
      [null, 'execution_failed'],
    ] as const;
    await eachRow(rows, async ([answer, code]) => {
      const { http } = web(() => ({ body: json(answer) }));
      const result = await speaking(miniMaxSpeech({ apiKey, http })).call({ text: 'Hello' });
      expect(result).toMatchObject({ error: { code } });
      expect(JSON.stringify(result)).not.toContain(apiKey);
    });
  });

  test('at a private address is not reached', async () => {
    const speech = openAiSpeech({ apiKey, baseUrl: 'http://127.0.0.1:9/v1/' });
    expect(await speaking(speech).call({ text: 'Hello' })).toMatchObject({ error: { code: 'url_blocked' } });
  });
});

describe('Edge speech', () => {
  type Agent = ConstructorParameters<EdgeTtsPackage['MsEdgeTTS']>[0]['agent'];

  /** A fake of the package: the calls that it got, and the connection that it makes. */
  function edge(change: (audio: Readable, agent: Agent) => Partial<EdgeTtsConnection> = () => ({})) {
    const told: unknown[] = [];
    class MsEdgeTTS {
      constructor({ agent }: { readonly agent: Agent }) {
        const audio = new Readable({ read: () => {} });
        Object.assign(this, {
          setMetadata: async (...given: unknown[]) => void told.push(given),
          toStream: (...given: unknown[]) => {
            told.push(given);
            for (const part of [mp3, '!', null]) audio.push(part);
            return { audioStream: audio };
          },
          close: () => void told.push('closed'),
          ...change(audio, agent),
        });
      }
    }
    return { told, package: { MsEdgeTTS } as unknown as EdgeTtsPackage };
  }

  const form = 'audio-24khz-96kbitrate-mono-mp3';

  test('passes the text to the package as XML, and closes its connection', async () => {
    const { told, ...given } = edge();
    const { call } = speaking(edgeSpeech(given));
    const result = await call({ text: 'Tom & "Ada" <3', voice: 'de-DE-KatjaNeural', speed: 1.5 });
    expect(result.output).toContain(`(mp3, ${mp3.length + 1} bytes)`);
    const text = 'Tom &#38; &#34;Ada&#34; &#60;3';
    expect(told).toEqual([['de-DE-KatjaNeural', form, {}], [text, { rate: 1.5 }], 'closed']);
    await call({ text: 'Hello' });
    expect(told.slice(3)).toEqual([['en-US-AriaNeural', form, {}], ['Hello', { rate: 1 }], 'closed']);
  });

  test('is not called for unsupported options, and needs the package', async () => {
    const { told, ...given } = edge();
    const rows = [
      [given, { format: 'wav' }, 'invalid_input', 'makes mp3'],
      [given, { voice: 'en-US-A"/><x' }, 'invalid_input', 'en-US-AriaNeural'],
      [given, { voice: 'alloy' }, 'invalid_input', 'en-US-AriaNeural'],
      [{}, {}, 'not_configured', 'npm install msedge-tts'],
    ] as const;
    await eachRow(rows, async ([options, input, code, message]) => {
      const result = await speaking(edgeSpeech(options)).call({ text: 'Hello', ...input });
      expect(result).toMatchObject({ error: { code }, output: expect.stringContaining(message) });
    });
    expect(told).toEqual([]);
  });

  test('that fails fails one call, with a message without its address', async () => {
    const address = 'wss://speech.example/?token=very-private-key';
    const failing = (error: Error) => () => ({ setMetadata: () => Promise.reject(error) });
    const rows: readonly (readonly [Parameters<typeof edge>[0], code: string])[] = [
      [failing(new Error(`no way to ${address}`)), 'network_failed'],
      [failing(new Error(`Unexpected server response: 403 of ${address}`)), 'http_error'],
      [failing(new Error('blocked', { cause: new ToolError('url_blocked', 'Not there.') })), 'url_blocked'],
      [(audio) => ({ toStream: () => ({ audioStream: audio.destroy(new Error(address)) }) }), 'network_failed'],
      [() => ({ toStream: () => ({ audioStream: Readable.from([Buffer.from('<html>')]) }) }), 'execution_failed'],
      [
        (audio) => {
          const socket = {
            onmessage: () => {
              throw new TypeError(address);
            },
          };
          const toStream = () => {
            queueMicrotask(() => socket.onmessage());
            return { audioStream: audio };
          };
          return { _ws: socket, toStream };
        },
        'network_failed',
      ],
    ];
    await eachRow(
      rows,
      async ([change, code]) => {
        const { told, ...given } = edge(change);
        const result = await speaking(edgeSpeech(given)).call({ text: 'Hello' });
        expect(result).toMatchObject({ error: { code } });
        expect(JSON.stringify(result)).not.toContain('speech.example');
        expect(told).toContain('closed');
      },
      ([, code]) => code,
    );
  });

  test('ends with the call', async () => {
    const control = new AbortController();
    const { told, ...given } = edge((audio) => ({
      toStream: () => {
        setImmediate(() => control.abort());
        return { audioStream: audio };
      },
    }));
    const { toolkit } = speaking(edgeSpeech(given));
    const result = await toolkit.call('tts', { text: 'Hello' }, { caller, signal: control.signal });
    expect(result).toMatchObject({ error: { code: 'interrupted' } });
    expect(told).toContain('closed');
  });

  test('connects like the client: to checked addresses with trusted certificates', async () => {
    const connecting = (http: HttpClient, host: string) => {
      const { package: given } = edge((_, agent) => ({
        setMetadata: () =>
          new Promise((_resolve, reject) => {
            const { createConnection } = agent as unknown as { createConnection: (...given: unknown[]) => void };
            createConnection({ host, port: 443 }, (error: unknown, stream?: Readable) => {
              stream?.on('error', reject);
              if (error !== null) reject(error);
            });
          }),
      }));
      return speaking(edgeSpeech({ http, package: given })).call({ text: 'Hello' });
    };
    const dns = { 'example.org': [['93.184.216.34']], 'inner.example': [['10.0.0.1']] };
    const { client, connected } = webWorld({ dns });
    const denying = createHttpClient({ denyHosts: ['example.org'] });
    expect(await connecting(denying, 'example.org')).toMatchObject({ error: { code: 'url_blocked' } });
    expect(await connecting(client, 'inner.example')).toMatchObject({ error: { code: 'url_blocked' } });
    expect(connected).toEqual([]);
    expect(await connecting(client, 'example.org')).toMatchObject({ error: { code: 'network_failed' } });
    expect(connected).toEqual([{ ip: '93.184.216.34', port: 443, hostname: 'example.org', secure: true }]);
  });

  test('needs a client with known rules', () => {
    const { http } = web(() => ({}));
    expect(() => edgeSpeech({ http })).toThrow('edgeSpeech: http takes a client of createHttpClient');
    expect(() => edgeSpeech({ package: {} as never })).toThrow('package takes the package msedge-tts');
  });
});

describe('a chain', () => {
  test('calls the next service if one fails, returns no sound or another format', async () => {
    const rows = [
      () => Promise.reject(new ToolError('rate_limited', 'too often')),
      () => Promise.reject(new Error('no line')),
      () => new TextEncoder().encode('<html>'),
      () => mp3,
    ] as const;
    await eachRow(rows, async (answer) => {
      const last = speechOf(() => wav, 'last');
      const unasked = speechOf(() => wav, 'unasked');
      const chain = speechChain([speechOf(answer).speech, last.speech, unasked.speech]);
      const result = await speaking(chain).call({ text: 'Hello', format: 'wav' });
      expect(result.output).toContain('hello.wav');
      expect(last.requests).toEqual([{ text: 'Hello', format: 'wav' }]);
      expect(unasked.requests).toEqual([]);
    });
  });

  test('reports each failure if all fail', async () => {
    const one = speechOf(() => Promise.reject(new ToolError('rate_limited', 'Too often.')));
    const two = speechOf(() => Promise.reject(new ToolError('http_error', 'Down.')));
    const mixed = await speaking(speechChain([one.speech, two.speech])).call({ text: 'Hello' });
    expect(mixed).toMatchObject({ error: { code: 'execution_failed' } });
    expect(mixed.output).toContain('No speech service worked:\nToo often.\nDown.');
    const same = await speaking(speechChain([one.speech, one.speech])).call({ text: 'Hello' });
    expect(same).toMatchObject({ error: { code: 'rate_limited' } });
  });

  test('continues if one hangs, which is aborted', async () => {
    const timers = heldTimers();
    const signals: AbortSignal[] = [];
    const hanging: Speech = {
      name: 'hanging',
      speak: (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    };
    const chain = chainByTimers([hanging, speechOf(() => wav).speech], {}, timers);
    const spoken = speaking(chain).call({ text: 'Hello' });
    await timers.fire(60_000);
    expect((await spoken).output).toContain('hello.wav');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('ends with the call', async () => {
    const control = new AbortController();
    const next = speechOf(() => wav);
    const first: Speech = {
      name: 'first',
      speak: () => {
        control.abort();
        return new Promise(() => {});
      },
    };
    const { toolkit } = speaking(speechChain([first, next.speech]));
    const result = await toolkit.call('tts', { text: 'Hello' }, { caller, signal: control.signal });
    expect(result).toMatchObject({ error: { code: 'interrupted' } });
    expect(next.requests).toEqual([]);
  });
});
