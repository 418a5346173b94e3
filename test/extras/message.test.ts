import { type createPermissions, createPolicy, createToolkit, ToolError } from 'toolwright';
import { type Messenger, messageTool, sessionMessenger, webhookMessenger } from 'toolwright/extras/message';
import { memoryFiles } from 'toolwright/testing';
import { describe, expect, test } from 'vitest';
import type { SessionDirectory } from '../../src/index.js';
import { askingToolkit } from '../support/asking-toolkit.js';
import { toolContext } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';

const caller = { sessionId: 'session_1' };
const secret = ['ghp', 'roW0YFxDqcPLFAKEhnn6CpteeaZYNRvC9ndx'].join('_');

/** A toolkit with the tool, its questions, and the sent messages. */
function messaging(messenger: Messenger, options: Parameters<typeof createPermissions>[0] = {}) {
  const { toolkit, asked } = askingToolkit({ 'report.md': '# Report\n', 'private.md': 'x' }, options);
  toolkit.registry.register(messageTool(messenger, toolkit));
  return { toolkit, asked, call: (input: object) => toolkit.call('message', input, { caller }) };
}

function recording() {
  const sent: Parameters<Messenger['send']>[0][] = [];
  const messenger: Messenger = {
    channels: () => [{ name: 'team', about: 'all of us' }, { name: 'alerts' }],
    send: (message) => {
      if (message.channel !== 'team') return undefined;
      sent.push(message);
      return { id: `m${sent.length}` };
    },
  };
  return { sent, messenger };
}

test('the question shows channel, text and files; the message is sent without credentials', async () => {
  const { sent, messenger } = recording();
  const { asked, call } = messaging(messenger);
  const text = `Done.\nThe token is ${secret}`;
  const result = await call({ channel: 'team', text, reply_to: 'm0', attachments: ['/workspace/report.md'] });
  expect(result).toMatchObject({ ok: true, output: 'Sent to team, as message m1', metadata: { id: 'm1' } });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.risk).toBe('high');
  expect(asked[0]?.title).toMatch(/^Send to team: Done\./);
  expect(asked[0]?.preview).toMatch(
    /^To team, as an answer to m0:\nDone\.\nThe token is .*\nWith the file \/workspace\/report\.md$/,
  );
  expect(sent).toEqual([
    {
      channel: 'team',
      text: expect.stringMatching(/^Done\.\nThe token is /),
      replyTo: 'm0',
      attachments: [{ name: 'report.md', mediaType: 'text/plain', text: '# Report\n' }],
    },
  ]);
  expect(JSON.stringify([asked, sent, result])).not.toContain(secret);
});

test('a call that was interrupted before it sends does not send', async () => {
  const { sent, messenger } = recording();
  const { toolkit } = messaging(messenger);
  const context = toolContext({ signal: AbortSignal.abort() });
  const call = messageTool(messenger, toolkit).execute({ channel: 'team', text: 'Hi.' }, context);
  await expect(call).rejects.toMatchObject({ code: 'interrupted' });
  expect(sent).toEqual([]);
});

test('without an approval nothing is sent, and an unreadable file is not sent', async () => {
  const { sent, messenger } = recording();
  const refused = messaging(messenger, { onAsk: () => 'deny' });
  expect(await refused.call({ channel: 'team', text: 'Hi.' })).toMatchObject({ error: { code: 'permission_denied' } });
  const kept = messaging(messenger, { deny: ['Read(/workspace/private.md)'] });
  const rows = [
    ['/workspace/private.md', 'permission_denied'],
    ['/workspace/none.md', 'file_not_found'],
    ['/etc/passwd', 'path_outside_root'],
  ] as const;
  await eachRow(rows, async ([path, code]) => {
    expect(await kept.call({ channel: 'team', text: 'Hi.', attachments: [path] })).toMatchObject({ error: { code } });
  });
  expect(sent).toEqual([]);
});

test('the error for an unknown channel lists the known ones, and that for an invalid input the expected form', async () => {
  const { sent, messenger } = recording();
  const { call } = messaging(messenger);
  const rows: readonly (readonly [input: object, message: string])[] = [
    [{ channel: 'teem', text: 'x' }, 'Did you mean "team"? There are: team (all of us), alerts.'],
    [{ channel: 'team' }, 'text'],
    [{ channel: 'team', text: ' \n' }, 'not empty'],
    [{ channel: 'team', text: 'a\u202eb' }, 'direction marks'],
    [{ channel: 'team', text: 'x'.repeat(10_001) }, 'at most 10000 characters'],
    [{ channel: 'team', text: 'x', attachments: Array(11).fill('/a') }, 'at most 10 entries'],
  ];
  await eachRow(rows, async ([input, message]) => {
    const answer = await call(input);
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(answer.output).toContain(message);
  });
  expect(sent).toEqual([]);
});

test('a messenger that throws or returns an invalid answer fails one call', async () => {
  const fails = () => {
    throw new Error('the line is down');
  };
  const { call } = messaging({ channels: fails, send: fails });
  expect((await call({ channel: 'team', text: 'x' })).output).toContain('the messenger failed: the line is down');
  const nonsense = messaging({ channels: () => 'all' as never, send: () => undefined });
  expect((await nonsense.call({ channel: 'team', text: 'x' })).output).toContain('gave no usable answer');
});

test('the profile messaging offers it', () => {
  const policy = createPolicy({ profile: 'messaging' });
  const toolkit = createToolkit({ root: '/workspace', hosts: { files: memoryFiles({}) }, policy });
  toolkit.registry.register(messageTool(recording().messenger, toolkit));
  expect(toolkit.definitions(caller).map(({ name }) => name)).toContain('message');
});

describe('webhooks', () => {
  const url = 'https://hooks.example/T000/very-private-part';

  test('get the text, or the body that the program makes', async () => {
    const posts: object[] = [];
    const http = {
      get: () => Promise.reject(new Error('unused')),
      post: ({ body, headers, url: to }: { body: unknown; headers?: object | undefined; url: string }) => {
        posts.push({ to, body: JSON.parse(String(body)), headers });
        return Promise.resolve({ status: 204, redirects: [] } as never);
      },
    };
    const channels = {
      team: { url },
      chat: {
        url,
        headers: { 'x-team': '7' },
        body: ({ text, replyTo }: { text: string; replyTo?: string | undefined }) => ({ content: text, replyTo }),
      },
      mute: { url, body: () => undefined },
    };
    const { call } = messaging(webhookMessenger({ channels, http }));
    expect((await call({ channel: 'team', text: 'Hi.' })).output).toBe('Sent to team');
    expect((await call({ channel: 'chat', text: 'Hi.', reply_to: 'm1' })).ok).toBe(true);
    expect(posts).toEqual([
      { to: url, body: { text: 'Hi.' }, headers: { 'content-type': 'application/json' } },
      {
        to: url,
        body: { content: 'Hi.', replyTo: 'm1' },
        headers: { 'content-type': 'application/json', 'x-team': '7' },
      },
    ]);
    const lost = await call({ channel: 'team', text: 'Hi.', reply_to: 'm1' });
    expect(lost.output).toContain('reply_to: this channel carries only text');
    expect((await call({ channel: 'constructor', text: 'Hi.' })).output).toContain('There are: team, chat, mute.');
    expect((await call({ channel: 'mute', text: 'Hi.' })).output).toContain('returned no JSON');
    expect(posts).toHaveLength(2);
  });

  test('that fail are reported without their address', async () => {
    const rows = [
      [
        new ToolError('http_error', `${url} answered 404`, { metadata: { status: 404, url } }),
        'http_error (status 404)',
      ],
      [new ToolError('network_failed', `no way to ${url}`), 'It may have arrived'],
      [new Error(`no way to ${url}`), 'execution_failed'],
    ] as const;
    await eachRow(rows, async ([error, message]) => {
      const fails = () => Promise.reject(error);
      const messenger = webhookMessenger({ channels: { team: { url } }, http: { get: fails, post: fails } });
      const result = await messaging(messenger).call({ channel: 'team', text: 'Hi.' });
      expect(result.output).toContain(message);
      expect(JSON.stringify(result)).not.toContain('very-private-part');
    });
  });

  test('at private addresses are not reached', async () => {
    const messenger = webhookMessenger({ channels: { team: { url: 'http://127.0.0.1:9/x' } } });
    expect(await messaging(messenger).call({ channel: 'team', text: 'Hi.' })).toMatchObject({
      error: { code: 'url_blocked' },
    });
  });
});

describe('sessions', () => {
  const directory = (send: SessionDirectory['send']): SessionDirectory => ({
    list: () => [
      { id: 'session_1', activeAt: '2024-01-01T00:00:00Z' },
      { id: 'session_2', title: 'the release', activeAt: '2024-01-01T00:00:00Z' },
    ],
    history: () => undefined,
    status: () => undefined,
    send,
  });

  test('get the message, and their answer is returned', async () => {
    const messenger = sessionMessenger(
      directory(async ({ id, message }) => (id === 'session_2' ? { answer: `got ${message}` } : undefined)),
    );
    const { call } = messaging(messenger);
    expect((await call({ channel: 'session_2', text: 'Hi.' })).output).toBe('Sent to session_2. The answer:\ngot Hi.');
    expect((await call({ channel: 'session_1', text: 'Hi.' })).output).toContain('your own session');
    expect((await call({ channel: 'session_3', text: 'Hi.' })).output).toContain('There are: session_2 (the release).');
  });

  test('without an answer keep the message', async () => {
    const timers = {
      now: () => 0,
      set: (callback: () => void) => setImmediate(callback),
      clear: () => {},
      random: () => 0,
    };
    const messenger = sessionMessenger(
      directory(() => new Promise(() => {})),
      timers,
    );
    expect((await messaging(messenger).call({ channel: 'session_2', text: 'Hi.' })).output).toBe('Sent to session_2');
  });
});

test('a mistake of the program is a TypeError with the correct form', async () => {
  const { messenger } = recording();
  const rows: readonly (readonly [make: () => unknown, message: string])[] = [
    [() => messageTool({} as never, {} as never), 'messageTool(messenger, toolkit)'],
    [() => messageTool(messenger, undefined as never), 'messageTool(messenger, toolkit)'],
    [() => sessionMessenger({} as never), 'sessionMessenger(directory)'],
    [() => webhookMessenger({} as never), 'pass channels'],
    [() => webhookMessenger({ channels: { a: 'https://x.example' } } as never), 'a: { url }'],
    [
      () => webhookMessenger({ channels: { a: { url: 'ftp://x.example' } } }),
      'url takes an http(s) address without a user and a password, not another text',
    ],
    [() => webhookMessenger({ channels: {}, htpp: 1 } as never), 'http'],
  ];
  await eachRow(rows, ([make, message]) => {
    expect(make).toThrow(message);
  });
});
