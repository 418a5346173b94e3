import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createPermissions, type Tool, type ToolCallResult, type Toolkit } from 'toolwright';
import { cronTool, fileSchedule, heartbeat, pgSchedule, type RunningSchedule } from 'toolwright/extras/cron';
import { gatewayTool, toolkitGateway } from 'toolwright/extras/gateway';
import { imageTools, openAiImages, svgImages } from 'toolwright/extras/image';
import { messageTool, webhookMessenger } from 'toolwright/extras/message';
import { nodesTool, webSocketNodes } from 'toolwright/extras/nodes';
import { processTools } from 'toolwright/extras/process';
import { skillStore, skillTools } from 'toolwright/extras/skills';
import { localSpeech, openAiSpeech, ttsTool } from 'toolwright/extras/tts';
import { fromPg, migrate } from 'toolwright/managed';
import { createHttpClient } from 'toolwright/web';
import { describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { nextTurn } from '../../src/core/support/timers.js';
import { childrenOf } from '../../src/shell/run/process-table.js';
import { emptySchema, hasPostgres } from '../support/postgres.js';
import { runs } from '../support/runs.js';
import { sampleImages } from '../support/sample-images.js';
import { testToolkit } from '../support/test-toolkit.js';
import { until } from '../support/until.js';
import { webServer } from '../support/web-server.js';

// Browser, canvas and terminals have separate rounds.

/** A toolkit with a tool, and its rounds. */
interface World {
  readonly toolkit: Toolkit;
  /** A complete use of the tool, which leaves nothing. */
  round(): Promise<unknown>;
  /** Starts a call that does not end by itself. Resolves when it runs. */
  begin(): Promise<{ readonly result: Promise<ToolCallResult> }>;
}

const never = () => new Promise<never>(() => {});
const http = createHttpClient({ allowPrivate: ['127.0.0.1'] });
const apiKey = 'made-up';

function toolkitWith(make: (toolkit: Toolkit) => readonly Tool[]): Toolkit {
  const toolkit = testToolkit({ permissions: createPermissions({ mode: 'bypassPermissions' }) });
  toolkit.registry.register(...make(toolkit));
  return toolkit;
}

async function done(result: Promise<ToolCallResult>): Promise<ToolCallResult> {
  expect(await result).toMatchObject({ ok: true });
  return await result;
}

/** A service on this machine that answers one request for each call of `answerOnce`. All other requests wait. */
async function service(body: string | Uint8Array) {
  let answers = 0;
  const { url, requests } = await webServer((_request, response) => {
    if (answers > 0) response.end(body);
    answers = Math.max(0, answers - 1);
  });
  const asked = async (call: () => Promise<ToolCallResult>) => {
    const seen = requests.length;
    const result = call();
    await until(() => requests.length > seen);
    return { result };
  };
  return {
    url,
    asked,
    answered: async (call: () => Promise<ToolCallResult>) => {
      answers = 1;
      await done(call());
    },
  };
}

const removeMade = (toolkit: Toolkit) => rmSync(`${toolkit.files.root}/generated`, { recursive: true });

function overSchedule(schedule: RunningSchedule): World {
  const toolkit = toolkitWith(() => [cronTool(schedule)]);
  toolkit.attach(schedule);
  const call = (input: object) => toolkit.call('cron', input);
  const add = async (prompt: string) => {
    const { metadata } = await done(call({ action: 'add', schedule: '0 0 1 1 *', prompt }));
    return { id: metadata?.id };
  };
  const ended = async (id: unknown) => {
    const scope = { caller: { sessionId: 'default' }, signal: AbortSignal.any([]) };
    for (;;) {
      const { jobs } = await schedule.list(scope);
      if (jobs.every((job) => job.id !== id || job.running === undefined)) return;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  return {
    toolkit,
    async round() {
      const { id } = await add('end');
      await done(call({ action: 'run', id }));
      await ended(id);
      await done(call({ action: 'remove', id }));
    },
    async begin() {
      const { id } = await add('wait');
      return { result: call({ action: 'run', id }) };
    },
  };
}

const onDue = ({ prompt }: { readonly prompt: string }) => (prompt === 'wait' ? never() : undefined);

const worlds: Readonly<Record<string, () => World | Promise<World>>> = {
  process() {
    const toolkit = toolkitWith(processTools);
    const call = (input: object) => toolkit.call('process', input);
    const start = async () => {
      const started = await done(toolkit.call('Bash', { command: 'echo up; sleep 600', run_in_background: true }));
      return String(started.metadata?.taskId);
    };
    return {
      toolkit,
      async round() {
        const id = await start();
        await done(call({ action: 'list' }));
        await done(call({ action: 'signal', id, signal: 'TERM' }));
        await done(call({ action: 'output', id }));
        await done(call({ action: 'stop', id }));
        toolkit.drainNotifications();
      },
      begin: async () => ({ result: call({ action: 'output', id: await start(), timeout: 600_000 }) }),
    };
  },

  skills() {
    const toolkit = testToolkit({ permissions: createPermissions({ mode: 'bypassPermissions' }) });
    const folder = `${toolkit.files.root}/skills`;
    for (let index = 0; index < 20; index++) {
      mkdirSync(`${folder}/skill-${index}`, { recursive: true });
      const text = `---\nname: skill-${index}\ndescription: Makes soup number ${index}.\n---\nCook it.\n`;
      writeFileSync(`${folder}/skill-${index}/SKILL.md`, text);
    }
    toolkit.registry.register(...skillTools(skillStore({ tiers: [{ name: 'workspace', folder }] })));
    const search = () => toolkit.call('skill_search', { query: 'soup' });
    return {
      toolkit,
      async round() {
        await done(search());
        await done(toolkit.call('Skill', { name: 'skill-7' }));
      },
      begin: async () => ({ result: search() }),
    };
  },

  async message() {
    const { url, asked, answered } = await service('');
    const toolkit = toolkitWith((one) => [messageTool(webhookMessenger({ channels: { team: { url } }, http }), one)]);
    const call = () => toolkit.call('message', { channel: 'team', text: 'Done.' });
    return { toolkit, round: () => answered(call), begin: () => asked(call) };
  },

  cron() {
    const folder = testToolkit().files.root;
    return overSchedule(fileSchedule(join(folder, 'jobs.json'), { onDue }));
  },

  async 'image of a service'() {
    const json = JSON.stringify({ data: [{ b64_json: Buffer.from(sampleImages.png).toString('base64') }] });
    const { url, asked, answered } = await service(json);
    const toolkit = toolkitWith((one) => imageTools(openAiImages({ apiKey, baseUrl: `${url}/v1`, http }), one));
    const call = () => toolkit.call('image', { prompt: 'A cat' });
    const round = async () => {
      await answered(call);
      removeMade(toolkit);
    };
    return { toolkit, round, begin: () => asked(call) };
  },

  'image of SVG'() {
    const toolkit = toolkitWith((one) => imageTools(svgImages(), one));
    const svg = (content: string, size: number) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${content}</svg>`;
    const nested = [1, 2, 3, 4, 5, 6].map(
      (level) => `<g id="a${level}">${`<use href="#a${level - 1}"/>`.repeat(10)}</g>`,
    );
    const dot = '<rect id="a0" width="1000" height="1000" opacity="0.5"/>';
    return {
      toolkit,
      async round() {
        await done(toolkit.call('image', { prompt: svg('<rect width="5" height="5"/>', 20) }));
        removeMade(toolkit);
      },
      async begin() {
        const before = childrenOf(process.pid).length;
        const prompt = svg(`<defs>${dot}${nested.join('')}</defs><use href="#a5"/>`, 2_000);
        const result = toolkit.call('image', { prompt });
        await until(() => childrenOf(process.pid).length > before);
        return { result };
      },
    };
  },

  async 'tts of a service'() {
    const { url, asked, answered } = await service('ID3 and the sound');
    const toolkit = toolkitWith((one) => [ttsTool(openAiSpeech({ apiKey, baseUrl: `${url}/v1`, http }), one)]);
    const call = () => toolkit.call('tts', { text: 'Hello' });
    const round = async () => {
      await answered(call);
      removeMade(toolkit);
    };
    return { toolkit, round, begin: () => asked(call) };
  },

  'tts of this machine'() {
    const folder = testToolkit().files.root;
    const hangs = join(folder, 'hangs');
    writeFileSync(hangs, '#!/bin/sh\ntouch "$0.began"\nexec sleep 600\n', { mode: 0o755 });
    const speech = localSpeech();
    const hanging = localSpeech({ file: hangs });
    const toolkit = toolkitWith((one) => [
      ttsTool(
        {
          name: 'both',
          speak: (request, scope) => (request.text === 'wait' ? hanging : speech).speak(request, scope),
        },
        one,
      ),
    ]);
    return {
      toolkit,
      async round() {
        await done(toolkit.call('tts', { text: 'Hi' }));
        removeMade(toolkit);
      },
      async begin() {
        const result = toolkit.call('tts', { text: 'wait' });
        await until(() => existsSync(`${hangs}.began`));
        return { result };
      },
    };
  },

  async nodes() {
    const token = 'a-token-of-nodes-that-is-made-up';
    const nodes = webSocketNodes({ port: 0, token });
    const toolkit = toolkitWith(() => [nodesTool(nodes)]);
    toolkit.attach({ dispose: () => nodes.dispose() });
    const url = await nodes.url();
    const call = (input: object) => toolkit.call('nodes', input);
    const invocation = { action: 'invoke', node: 'phone', command: 'echo', input: {} };
    let isAnswering = true;
    const shows = async (isThere: boolean) => {
      while ((await call({ action: 'list' })).output.includes('phone (connected)') !== isThere) await nextTurn();
    };
    const connected = async (heard = () => {}) => {
      const socket = new WebSocket(url);
      const commands = [{ name: 'echo', description: 'Say it again', inputSchema: { type: 'object' } }];
      socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', token, name: 'phone', commands })));
      socket.on('error', () => {});
      socket.on('message', (data) => {
        const { id } = JSON.parse(String(data));
        heard();
        if (isAnswering) socket.send(JSON.stringify({ type: 'result', id, ok: true, output: 'fine' }));
      });
      await shows(true);
      return socket;
    };
    return {
      toolkit,
      async round() {
        const socket = await connected();
        await done(call(invocation));
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.close();
        await closed;
        await shows(false);
      },
      async begin() {
        isAnswering = false;
        let isAsked = false;
        await connected(() => {
          isAsked = true;
        });
        const result = call(invocation);
        await until(() => isAsked);
        return { result };
      },
    };
  },

  gateway() {
    let isAsked = false;
    const reload = () => {
      isAsked = true;
      return never();
    };
    const toolkit = toolkitWith((one) => [gatewayTool(toolkitGateway(one, { reload }))]);
    const call = (input: object) => toolkit.call('gateway', input);
    return {
      toolkit,
      async round() {
        await done(call({ action: 'status' }));
        await done(call({ action: 'config_set', setting: 'theme', value: 'dark' }));
        await done(call({ action: 'config_get', setting: 'theme' }));
      },
      async begin() {
        const result = call({ action: 'reload' });
        await until(() => isAsked);
        return { result };
      },
    };
  },
};

const missing: Readonly<Record<string, boolean>> = {
  'tts of this machine': spawnSync('espeak-ng', ['--version']).status !== 0,
};
if (missing['tts of this machine']) console.log('espeak-ng is not installed: rounds of it are left out');

/** The open resources of this process, by kind. */
function held(root = '') {
  const count = (names: readonly string[]) =>
    Object.fromEntries(names.toSorted().map((name) => [name, names.filter((one) => one === name).length]));
  const files = root === '' ? [] : readdirSync(root, { recursive: true }).map(String);
  return {
    // Background file reads and timers of the test runner come and go.
    resources: count(process.getActiveResourcesInfo().filter((name) => !/^(?:FSReq|CloseReq)/.test(name))),
    descriptors: readdirSync('/proc/self/fd').length,
    children: childrenOf(process.pid).length,
    files: files.toSorted(),
    listeners: process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`),
  };
}

type Held = ReturnType<typeof held>;

describe.each(Object.keys(worlds).filter((name) => missing[name] !== true))('%s', (name) => {
  const make = worlds[name] ?? never;

  test('leaves nothing after 200 rounds', async () => {
    const { toolkit, round } = await make();
    const { root } = toolkit.files;
    for (let index = 0; index < 5; index++) await round();
    const before = held(root);
    for (let index = 0; index < runs(200); index++) await round();
    await expectNoMore(before, root);
  });

  test('leaves nothing if it is disposed during a call', async () => {
    // Resources loaded at the first use stay.
    const first = await make();
    await first.round();
    await first.toolkit.dispose();
    for (let index = 0; index < 5; index++) {
      // A listening server of the test is closed after the test.
      const { toolkit, begin } = await make();
      const before = held();
      const { result } = await begin();
      await toolkit.dispose();
      await result;
      await expectNoMore(before);
    }
  });
});

/** Waits until this process has no more open resources than before. */
async function expectNoMore(before: Held, root = ''): Promise<void> {
  const more = () => {
    const { resources, descriptors, children, files, listeners } = held(root);
    return {
      kinds: Object.entries(resources).filter(([kind, count]) => count > (before.resources[kind] ?? 0)),
      listeners: listeners.filter((listener) => !before.listeners.includes(listener)),
      files: files.filter((file) => !before.files.includes(file)),
      counts: [Math.max(0, descriptors - before.descriptors), Math.max(0, children - before.children)],
    };
  };
  const none = { kinds: [], listeners: [], files: [], counts: [0, 0] };
  await until(() => isDeepStrictEqual(more(), none)).catch(() => {});
  expect(more()).toEqual(none);
}

test.runIf(await hasPostgres())('cron on PostgreSQL leaves nothing after 200 rounds', async () => {
  const pool = (await emptySchema()).pool();
  await migrate(fromPg(pool));
  const { toolkit, round, begin } = overSchedule(pgSchedule(fromPg(pool), { onDue }));
  for (let index = 0; index < 5; index++) await round();
  const before = held();
  for (let index = 0; index < runs(200); index++) await round();
  await expectNoMore(before);
  await begin();
  await toolkit.dispose();
  await expectNoMore(before);
});

test('a heartbeat leaves nothing after 200 beats', async () => {
  const before = held();
  for (let index = 0; index < 200; index++) {
    const beats = heartbeat({
      everyMs: 60_000,
      read: () => 'x',
      run: index % 2 === 0 ? () => {} : (_, signal) => ended(signal),
    });
    const beat = beats.beat();
    await beats.dispose();
    await beat;
  }
  await expectNoMore(before);
});

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
