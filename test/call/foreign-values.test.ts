import { describe, expect, test } from 'vitest';
import * as z from 'zod/v4';
import { toAnthropicResults } from '../../src/adapters/anthropic.js';
import { createPermissions, Tool, type ToolHooks } from '../../src/core.js';
import { table } from '../support/each-row.js';
import { calls, never, run, tool } from '../support/pipeline.js';

const plain = Tool.define('Plain', {
  description: 'Runs a command of its own.',
  input: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] },
  sideEffect: 'mutating',
  execute: async ({ cmd }) => `ran ${String(cmd)}`,
});
const noEvil = {
  check: async ({ input }: { readonly input: unknown }) =>
    (input as { cmd: string }).cmd === 'evil'
      ? { behavior: 'deny' as const, message: 'no' }
      : { behavior: 'allow' as const },
};
const broken = () => {
  throw new Error('getter');
};

describe('the input of a call', () => {
  table([
    ['a field that throws', Object.defineProperty({}, 'cmd', { get: broken, enumerable: true })],
    ['a field that throws deep down', { cmd: [Object.defineProperty({}, 'x', { get: broken, enumerable: true })] }],
    ['keys that cannot be listed', new Proxy({}, { ownKeys: broken })],
    ['a value that cannot be listed', { cmd: Proxy.revocable({}, {}).proxy, more: new Proxy([], { get: broken }) }],
  ])('is invalid if it cannot be read', async (_, input) => {
    const { results } = await run([plain], calls(['Plain', input]));
    expect(results).toMatchObject([{ ok: false, error: { code: 'invalid_input' } }]);
  });

  test('is authorised again if a hook changes it in place and returns it', async () => {
    const hook = ({ input }: { readonly input: unknown }) => ({
      updatedInput: Object.assign(input as object, { cmd: 'evil' }),
    });
    const hooks: ToolHooks = { PreToolUse: [{ hooks: [hook] }] };
    const { results } = await run([plain], calls(['Plain', { cmd: 'good' }]), { hooks, permissions: noEvil });
    expect(results).toMatchObject([{ error: { code: 'permission_denied' } }]);
  });

  test('is not affected by changes in place of hooks, callbacks or the caller', async () => {
    const spoil = ({ input }: { readonly input: unknown }) => {
      (input as { cmd: string }).cmd = 'evil';
      return undefined;
    };
    const own = { cmd: 'good' };
    const check = async (request: { readonly input: unknown }) => {
      spoil(request);
      own.cmd = 'evil';
      return { behavior: 'allow' as const };
    };
    const { results } = await run([plain], calls(['Plain', own]), {
      hooks: { PreToolUse: [{ hooks: [spoil] }] },
      permissions: { check },
    });
    expect(results).toMatchObject([{ output: 'ran good' }]);
  });

  test('a hook that changes a result in place has no effect', async () => {
    const spoil = ({ result }: { readonly result: { readonly metadata?: object | undefined } }) => {
      Object.assign(result, { output: 'x'.repeat(100_000) });
      Object.assign(result.metadata ?? {}, { a: 2 });
    };
    const hooks: ToolHooks = { PostToolUse: [{ hooks: [spoil] }] };
    const { results } = await run([tool('T', () => ({ output: 'fine', metadata: { a: 1 } }))], calls('T'), { hooks });
    expect(results).toMatchObject([{ output: 'fine', metadata: { a: 1 } }]);
  });
});

/** The result of a call whose tool returns these attachments. */
async function withAttachments(attachments: unknown) {
  const { results } = await run([tool('T', (() => ({ output: 'x', attachments })) as never)], calls('T'));
  return results[0];
}

describe('hostile objects', () => {
  table(['text/plain', 'application/json', 'application/octet-stream', 'image/svg+xml'])(
    'a text attachment of any type is scrubbed',
    async (mediaType) => {
      const key = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
      const attached = (text: string) => ({ mediaType, data: Buffer.from(text).toString('base64') });
      expect(await withAttachments([attached(`é TOKEN=${key}`)])).toMatchObject({
        attachments: [attached('é TOKEN=[REDACTED]')],
      });
    },
  );

  test('a text attachment is scrubbed if a character spans the end of the sniffed bytes', async () => {
    const attached = (text: string) => ({ mediaType: 'text/plain', data: Buffer.from(text).toString('base64') });
    const long = `x${'é'.repeat(4_000)}\npassword=`;
    expect(await withAttachments([attached(`${long}Kb9xQ2mWz7Lp`)])).toMatchObject({
      attachments: [attached(`${long}[REDACTED]`)],
    });
  });

  table<[string, (text: string) => Buffer]>([
    ['UTF-16 with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['Latin-1', (text) => Buffer.from(text, 'latin1')],
    [
      'UTF-8 with a stray byte',
      (text) => Buffer.concat([Buffer.from(`caf\u00e9 5 \u20ac ${text}`), Buffer.from([0xe9])]),
    ],
  ])('an attachment in another encoding is scrubbed in that encoding', async (_, encode) => {
    const attached = (text: string) => ({ mediaType: 'text/csv', data: encode(text).toString('base64') });
    const { results } = await run(
      [tool('T', () => ({ output: 'x', attachments: [attached('name;M\u00fcller password=Kb9xQ2mWz7Lp ')] }))],
      calls('T'),
    );
    const shown = Buffer.from(results[0]?.ok === true ? (results[0].attachments?.[0]?.data ?? '') : '', 'base64');
    expect(shown.includes(encode('Kb9x').subarray(-4))).toBe(false);
    expect(shown.length).toBeGreaterThan(20);
  });

  test('a binary attachment keeps its bytes', async () => {
    const bytes = Buffer.concat([Buffer.from([0x89, 0x50, 0xff]), Buffer.from('password=hunter2hunter2')]);
    const attachments = [{ mediaType: 'image/png', data: bytes.toString('base64') }];
    expect(await withAttachments(attachments)).toMatchObject({ attachments });
  });

  table([
    ['no slash', 'png'],
    ['a line break', 'image/png\nx: y'],
    ['words behind it', 'image/png and more'],
    ['nothing', ''],
    ['no end', `image/${'x'.repeat(10_000)}`],
  ])('an attachment with an invalid media type fails the call', async (_, mediaType) => {
    const attachments = [
      { mediaType: 'text/plain; charset=utf-8', data: 'AAAA' },
      { mediaType, data: 'AAAA' },
    ];
    expect(await withAttachments(attachments.slice(0, 1))).toMatchObject({ attachments: attachments.slice(0, 1) });
    expect(await withAttachments(attachments)).toMatchObject({
      output: expect.stringContaining('attachments[1]: mediaType takes a media type'),
    });
  });

  test('a media type with a credential is not shown', async () => {
    const key = ['ghp', '_', 'aB3d'.repeat(9)].join('');
    const attachments = [{ mediaType: `text/${key}`, data: 'AAAA' }];
    expect(await withAttachments(attachments)).toMatchObject({
      attachments: [{ mediaType: 'application/octet-stream', data: 'AAAA' }],
    });
  });

  test('metadata is limited in depth, items and characters, and marks omissions', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100; level++) deep = { deep };
    const metadata = { many: Array.from({ length: 20_000 }, () => 1), long: 'x'.repeat(300_000), deep };
    const only = async (name: keyof typeof metadata) => {
      const { results } = await run(
        [tool('T', () => ({ output: 'x', metadata: { kept: 'fact', [name]: metadata[name] } }))],
        calls('T'),
      );
      expect(results[0]).toMatchObject({ metadata: { kept: 'fact' } });
      return JSON.stringify(results[0]?.metadata);
    };
    expect(await only('many')).toMatch(/1,"\[10002 more items\]"\]\}$/);
    expect(await only('long')).toBe('{"kept":"fact","long":"[300000 characters omitted]"}');
    expect(await only('deep')).toMatch(/\{"deep":"\[too deep\]"\}{32}$/);
  });

  test('names of attachments are scrubbed', async () => {
    const key = ['ghp', '_', 'aB3d'.repeat(9)].join('');
    const image = { mediaType: 'image/png', data: 'AAAA' };
    const attachments = [{ ...image, name: `shot ${key}` }];
    const { results } = await run([tool('T', (() => ({ output: 'x', attachments })) as never)], calls('T'));
    expect(results[0]).toMatchObject({
      attachments: [{ ...image, name: 'shot [REDACTED]' }],
    });
    expect(() => toAnthropicResults(results)).not.toThrow();
  });

  table<[string, () => unknown]>([
    ['throws', broken],
    ['rejects', () => Promise.reject(new Error('late'))],
  ])('a failing decide allows no call without a question', async (_, decide) => {
    const permissions = { decide: decide as never, check: async () => ({ behavior: 'deny' as const, message: 'no' }) };
    expect((await run([plain], calls(['Plain', { cmd: 'a' }]), { permissions })).results).toMatchObject([
      { error: { code: 'permission_denied' } },
    ]);
  });

  table<[string, unknown]>([
    ['an unknown word', { behavior: 'denied' }],
    ['a text', 'deny'],
    ['false', false],
    ['null', null],
    ['an empty object', {}],
    ['a promise, since decide is synchronous', Promise.resolve({ behavior: 'deny' })],
  ])('an invalid answer of decide denies the call, even if check allows it', async (_, answer) => {
    const permissions = { decide: (() => answer) as never, check: async () => ({ behavior: 'allow' as const }) };
    expect((await run([plain], calls(['Plain', { cmd: 'a' }]), { permissions })).results).toMatchObject([
      { error: { code: 'permission_denied' } },
    ]);
  });

  test('an input is not accepted if its schema throws', async () => {
    const picky = Tool.define('Picky', {
      description: 'd',
      input: z.object({ a: z.string().refine(broken) }),
      sideEffect: 'none',
      execute: () => 'x',
    });
    expect((await run([picky], calls(['Picky', { a: 'x' }]))).results).toMatchObject([
      { error: { code: 'invalid_input' } },
    ]);
  });

  test('an asynchronous JSON Schema cannot accept an input synchronously', async () => {
    const input = { $async: true, type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const odd = Tool.define('Odd', { description: 'd', input, sideEffect: 'none', execute: () => 'ran' });
    expect((await run([odd], calls(['Odd', { a: 5 }]))).results).toMatchObject([
      { ok: true, metadata: { coercions: ['a: number to text'] } },
    ]);
    expect((await run([odd], calls(['Odd', {}]))).results).toMatchObject([{ error: { code: 'invalid_input' } }]);
  });

  table<[part: string, result: object]>([
    ['title', { ok: true, output: 'ran' }],
    ['risk', { ok: false, error: { code: 'execution_failed' } }],
  ])('a rejected asynchronous part of a tool fails only its own call', async (part, result) => {
    const odd = tool('Odd', () => 'ran', { [part]: () => Promise.reject(new Error('late')) });
    expect(odd.riskOf({})).toBe('none');
    const { results } = await run([odd, plain], calls('Odd', ['Plain', { cmd: 'a' }]));
    expect(results).toMatchObject([result, { ok: true }]);
  });

  test('an invalid footprint fails only its own call', async () => {
    const odd = tool('Odd', () => 'x', { footprint: () => ({}) });
    const { results } = await run([odd, plain], calls('Odd', ['Plain', { cmd: 'a' }]));
    expect(results).toMatchObject([{ error: { code: 'execution_failed' } }, { ok: true }]);
  });
});

describe('a question', () => {
  const key = ['sk', '-', 'a1B2'.repeat(8)].join('');
  const shown = tool('Shown', () => 'x', {
    sideEffect: 'mutating',
    title: () => `Shown \u001b[31m ${key}`,
    preview: () => `line one\nline \u202etwo ${key}`,
  });

  test('is safe to print, has warnings, and is announced with its answer', async () => {
    let seen: { title?: string; preview?: string | undefined; warnings?: readonly string[] } = {};
    const permissions = createPermissions({
      onAsk: (request) => {
        seen = request;
        return 'deny';
      },
    });
    const { results, events } = await run([shown], calls(['Shown', { note: 'a\u200bb' }]), { permissions });
    expect(seen.title).toBe('Shown \\u{1b}[31m [REDACTED]');
    expect(seen.preview).toBe('line one\nline \\u{202e}two [REDACTED]');
    expect(seen.warnings).toEqual(['The text contains hidden or control characters.']);
    expect(results).toMatchObject([{ error: { code: 'permission_denied' } }]);
    expect(events.map(({ type }) => type)).toEqual([
      'permission-ask',
      'permission-decision',
      'tool-refused',
      'tool-result',
    ]);
    expect(events[0]).toMatchObject({
      callId: 'call_0',
      name: 'Shown',
      risk: 'medium',
      title: 'Shown \\u{1b}[31m [REDACTED]',
    });
    expect(events[1]).toMatchObject({ behavior: 'deny' });
  });

  test('shows the whole input if the tool has no preview, with warnings about its keys', async () => {
    const seen: unknown[] = [];
    const permissions = createPermissions({
      onAsk: ({ preview, warnings }) => {
        seen.push([preview, warnings.length]);
        return 'deny';
      },
    });
    const open = Tool.define('Open', {
      description: 'd',
      input: { type: 'object' },
      sideEffect: 'mutating',
      execute: () => '',
    });
    await run([open], calls('Open', ['Open', { cmd: `a\u202e${key}`, 'b\u200b': ['c'] }]), { permissions });
    const shown = '{\n  "cmd": "a\\u{202e}[REDACTED]",\n  "b\\u{200b}": [\n    "c"\n  ]\n}';
    expect(seen).toEqual([
      [undefined, 0],
      [shown, 2],
    ]);
  });

  table<[string, () => never | Promise<never>]>([
    ['throws', broken],
    ['never answers', () => never],
  ])('is announced as denied if the callback throws or never answers', async (_, onAsk) => {
    const { events } = await run([shown], calls('Shown'), {
      permissions: createPermissions({ onAsk }),
      limits: { approval: { timeoutMs: 20 } },
    });
    expect(events.filter(({ type }) => type === 'permission-decision')).toMatchObject([{ behavior: 'deny' }]);
  });

  test('ignores a late answer of "always"', async () => {
    let answer: (value: 'allow-always') => void = () => {};
    const onAsk = () => new Promise<'allow-always'>((resolve) => (answer = resolve));
    const options = { permissions: createPermissions({ onAsk }), limits: { approval: { timeoutMs: 20 } } };
    await run([plain], calls(['Plain', { cmd: 'a' }]), options);
    answer('allow-always');
    await new Promise((resolve) => setImmediate(resolve));
    const { results } = await run([plain], calls(['Plain', { cmd: 'a' }]), options);
    expect(results).toMatchObject([{ ok: false }]);
  });
});

describe('no call starts after an abort', () => {
  table(['tool-start', 'permission-ask'])('from an event listener', async (type) => {
    const stop = new AbortController();
    let started = 0;
    const act = tool('Act', () => `${++started}`, { sideEffect: 'mutating' });
    const permissions = createPermissions({ onAsk: () => 'allow-once' });
    const { results } = await run([act], calls('Act'), {
      signal: stop.signal,
      permissions,
      onEvent: (event) => {
        if (event.type === type) stop.abort();
      },
    });
    expect(started).toBe(0);
    expect(results).toMatchObject([{ ok: false }]);
  });
});

describe('results are bounded', () => {
  const long = 'y'.repeat(200_000);

  table<[string, Parameters<typeof run>[2]]>([
    ['a reason of a hook', { hooks: { PreToolUse: [{ hooks: [() => ({ decision: 'deny', reason: long })] }] } }],
    ['a message of permission', { permissions: { check: async () => ({ behavior: 'deny', message: long }) } }],
    ['context of a hook', { hooks: { PreToolUse: [{ hooks: [() => ({ additionalContext: long })] }] } }],
  ])('also those of hooks and permissions', async (_, options) => {
    const { results } = await run([tool('T', () => 'x')], calls('T'), options);
    expect(JSON.stringify(results).length).toBeLessThan(120_000);
  });
});
