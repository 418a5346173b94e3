import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createDeadLetters,
  createScrubber,
  type DeadLetters,
  defaultLimits,
  type NewDeadLetter,
  Tool,
  ToolError,
} from '../../src/core.js';
import { eachRow } from '../support/each-row.js';
import { calls, run, tool } from '../support/pipeline.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const key = ['ghp', '_', 'a1'.repeat(18)].join('');

const bad = tool('Bad', () => {
  throw new Error('broken');
});

test('a call that finally failed is kept and can be redriven or dropped', async () => {
  const deadLetters = createDeadLetters();
  await run([bad], calls(['Bad', { host: 'a' }], 'Nope'), { deadLetters });
  const [first, ...others] = deadLetters.list();
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    call: { name: 'Bad', input: { host: 'a' } },
    error: { code: 'execution_failed', message: 'broken' },
    attempts: 1,
  });
  expect(new Date(first?.at ?? '').toISOString()).toBe(first?.at);
  expect(deadLetters.redrive(first?.id ?? '')).toEqual(first?.call);
  expect(deadLetters.list()).toEqual([]);
  expect(deadLetters.redrive('letter_1')).toBeUndefined();
  expect(deadLetters.drop('letter_1')).toBe(false);
});

test('a dead letter has the same id in the store of the host and in memory', async () => {
  const box = createDeadLetters();
  const seen: string[] = [];
  const deadLetters: DeadLetters = {
    add: (deadLetter) => {
      seen.push(deadLetter.id);
      box.add(deadLetter);
    },
  };
  await run([bad], calls('Bad', 'Bad'), { deadLetters });
  expect(new Set(seen).size).toBe(2);
  expect(box.list().map(({ id }) => id)).toEqual(seen);
  const [first] = box.list();
  if (first !== undefined) box.add({ ...first, attempts: 7 });
  expect(box.list().map(({ id, attempts }) => [id, attempts])).toEqual([
    [seen[1], 1],
    [seen[0], 7],
  ]);
});

test("a dead letter with a tool's own code survives a new start", async () => {
  const file = join(temporaryFolder(), 'letters');
  const refusing = tool('Mail', () => {
    throw new ToolError('mail_rejected', 'refused');
  });
  await run([refusing], calls('Mail'), { deadLetters: createDeadLetters({ file }) });
  expect(createDeadLetters({ file }).list()).toMatchObject([{ error: { code: 'mail_rejected', message: 'refused' } }]);
});

test('the oldest dead letters are dropped first', async () => {
  const deadLetters = createDeadLetters({ max: 2 });
  await run([bad], calls('Bad', 'Bad', 'Bad'), { deadLetters });
  expect(deadLetters.list().map(({ call }) => call.id)).toEqual(['call_1', 'call_2']);
  expect(deadLetters.drop(deadLetters.list()[0]?.id ?? '')).toBe(true);
});

test('a store that throws does not change the result', async () => {
  const add = () => {
    throw new Error('full');
  };
  expect((await run([bad], calls('Bad'), { deadLetters: { add } })).results).toMatchObject([
    { output: 'Error: broken' },
  ]);
});

test('a max that is not a whole number from 1 up is rejected', () =>
  eachRow([0, -1, 1.5], (max) => expect(() => createDeadLetters({ max })).toThrow('max')));

test('the total size of dead letters is bounded too', () => {
  const deadLetters = createDeadLetters({ maxChars: 2_300 });
  for (let index = 0; index < 10; index++) deadLetters.add(deadLetter(`c${index}`, 'x'.repeat(500)));
  expect(ids(deadLetters)).toEqual(['c7', 'c8', 'c9']);
  deadLetters.add(deadLetter('huge', 'x'.repeat(3_000)));
  expect(ids(deadLetters)).toEqual(['c8', 'c9', 'huge']);
});

describe('an input', () => {
  const fillTool = (more: object = {}) =>
    Tool.define('Fill', {
      description: 'Fails.',
      input: { type: 'object', ...more },
      sideEffect: 'mutating',
      execute: () => Promise.reject(new ToolError('storage_failed', 'disk full')),
    });
  const failing = fillTool();

  async function keepOne(input: unknown, options: object = {}, box = createDeadLetters()) {
    await run([failing], calls(['Fill', input]), { deadLetters: box, ...options });
    const [kept] = box.list();
    if (kept === undefined) throw new Error('no dead letter');
    return { box, kept };
  }

  const whole = [
    ['of 250,000 characters', { file_path: '/a', content: 'x'.repeat(250_000) }],
    ['of many fields', { list: Array.from({ length: 20_000 }, (_, index) => `entry ${index}`) }],
    ['of all kinds', { a: [1, 1.5, true, null, 'ü\n', { b: [] }], c: {} }],
  ] as const;
  test('is kept unchanged and redriven unchanged', () =>
    eachRow(whole, async ([, input]) => {
      const file = newFile();
      const { box, kept } = await keepOne(input, {}, createDeadLetters({ file }));
      expect([kept.isWhole, kept.call.input]).toEqual([true, input]);
      expect(createDeadLetters({ file }).redrive(kept.id)?.input).toEqual(input);
      expect(box.redrive(kept.id)?.input).toEqual(input);
      expect(box.list()).toEqual([]);
    }));

  const withheld = {
    scrubber: {
      text: (text: string) => {
        if (text === 'odd') throw new Error('x');
        return text;
      },
    },
  };

  const parts: readonly [string, unknown, object][] = [
    ['that JSON cannot hold: a big number', { a: 10n }, {}],
    ['that JSON cannot hold: no number', { a: [Number.NaN] }, {}],
    ['that JSON cannot hold: a function', { a: { call: () => 1 } }, {}],
    ['on which the scrubber fails', { a: 'odd' }, withheld],
    ['with a name on which the scrubber fails', { odd: 1 }, withheld],
    ['that held a credential', { env: { line: `TOKEN=${key}` } }, {}],
    ['that held a credential as a name', { [key]: 1 }, {}],
    ['that held one as a number', { account: 4_211_987_654 }, { scrubber: createScrubber({ values: ['4211987654'] }) }],
    ['that held one, where a host scrubs in its own way', { a: 'secret' }, { scrubber: { text: () => 'gone' } }],
  ];
  test('that cannot be kept whole gives isWhole false, stays, and is not redriven', () =>
    eachRow(parts, async ([, input, options]) => {
      const file = newFile();
      const { box, kept } = await keepOne(input, options, createDeadLetters({ file }));
      for (const one of [box, createDeadLetters({ file })]) {
        expect(one.list()).toMatchObject([{ id: kept.id, isWhole: false }]);
        expect(one.redrive(kept.id)).toBeUndefined();
        expect(one.list()).toHaveLength(1);
      }
      expect(box.drop(kept.id)).toBe(true);
      expect(box.list()).toEqual([]);
    }));

  test('that coercion made deeper than the limit is not kept whole', async () => {
    const fill = fillTool({ properties: { v: { type: 'object' } }, required: ['v'] });
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const levels = defaultLimits.call.maxInputDepth;
    const kept = async (v: string) => {
      const box = createDeadLetters();
      await run([fill], calls(['Fill', { v }]), { deadLetters: box });
      return box.list()[0];
    };
    expect(await kept(deep(levels - 1))).toMatchObject({
      isWhole: true,
      call: { input: { v: JSON.parse(deep(levels - 1)) } },
    });
    expect(await kept(deep(levels))).toMatchObject({ isWhole: false });
  });

  const rows = [
    ['a credential', `TOKEN=${key}`],
    ['what looks like a mark', 'a [REDACTED] b'],
  ] as const;
  test('that held a credential is kept whole by a reversible scrubber', () =>
    eachRow(rows, async ([, text]) => {
      const { box, kept } = await keepOne({ text }, { scrubber: createScrubber({ reversible: true }) });
      expect(kept).toMatchObject({ isWhole: true });
      expect(JSON.stringify(kept)).not.toContain(key);
      expect(box.redrive(kept.id)?.input).toEqual(kept.call.input);
    }));

  test('larger than the whole limit is omitted from its dead letter', async () => {
    const box = createDeadLetters({ maxChars: 5_000 });
    box.add(deadLetter('before'));
    await run([failing], calls(['Fill', { content: 'x'.repeat(6_000) }]), { deadLetters: box });
    expect(ids(box)).toEqual(['before', 'call_0']);
    const last = box.list()[1];
    expect(last).toMatchObject({
      isWhole: false,
      call: { name: 'Fill', input: { omitted: expect.any(String) } },
      error: { message: 'disk full' },
    });
    expect(box.redrive(last?.id ?? '')).toBeUndefined();
    expect(ids(box)).toEqual(['before', 'call_0']);
  });

  test('of a dead letter without isWhole is whole', () => {
    const box = createDeadLetters();
    box.add(deadLetter('a'));
    expect(box.redrive(box.list()[0]?.id ?? '')).toMatchObject({ id: 'a' });
  });
});

function deadLetter(id: string, message = 'broken'): NewDeadLetter {
  return {
    call: { id, name: 'Bad', input: { text: 'ü\n\u2028' } },
    error: { code: 'execution_failed', message },
    attempts: 1,
    at: '2026-01-01T00:00:00.000Z',
  };
}

function ids(deadLetters: ReturnType<typeof createDeadLetters>): string[] {
  return deadLetters.list().map(({ call }) => call.id);
}

const newFile = () => join(temporaryFolder(), 'letters.jsonl');

describe('in a file', () => {
  test('dead letters survive a restart with their ids, and removed ones stay removed', async () => {
    const file = newFile();
    const before = createDeadLetters({ file });
    await run([bad], calls('Bad', 'Bad', 'Bad'), { deadLetters: before });
    const [first, second] = before.list();
    before.redrive(first?.id ?? '');
    expect(before.drop(second?.id ?? '')).toBe(true);
    const after = createDeadLetters({ file });
    expect(after.list()).toEqual(before.list());
    expect(ids(after)).toEqual(['call_2']);
    expect(after.drop(first?.id ?? '')).toBe(false);
  });

  test('the file is private, for any mode that it had before', () => {
    const file = newFile();
    writeFileSync(file, '', { mode: 0o644 });
    chmodSync(file, 0o644);
    createDeadLetters({ file }).add(deadLetter('a'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ letter: { call: { id: 'a' } } });
  });

  test('a file cut at any byte gives the dead letters before the cut, and can be used further', () => {
    const file = newFile();
    const whole = createDeadLetters({ file });
    for (const id of ['a', 'b', 'c']) whole.add(deadLetter(id));
    const bytes = readFileSync(file);
    const lineEnds = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([index]) => index);
    const cuts = [
      ...lineEnds.flatMap((end) => [end - 1, end, end + 1]),
      ...Array.from({ length: 120 }, (_, index) => bytes.length - 2 * index),
      0,
      1,
      15,
    ];
    for (const cut of cuts) {
      writeFileSync(file, bytes.subarray(0, cut));
      const reopened = createDeadLetters({ file });
      // A line is whole without its line feed.
      const kept = ['a', 'b', 'c'].slice(0, lineEnds.filter((end) => end <= cut).length);
      expect(ids(reopened)).toEqual(kept);
      reopened.add(deadLetter('d'));
      expect(ids(createDeadLetters({ file }))).toEqual([...kept, 'd']);
    }
  });

  test('the file is compacted before it exceeds its limits, without loss', () => {
    const file = newFile();
    const deadLetters = createDeadLetters({ file, max: 5 });
    let longest = 0;
    for (let index = 0; index < 1_000; index++) {
      deadLetters.add(deadLetter(`c${index}`));
      if (index % 3 === 0) deadLetters.drop(deadLetters.list()[0]?.id ?? '');
      longest = Math.max(longest, readFileSync(file, 'utf8').split('\n').length);
    }
    expect(longest).toBeLessThanOrEqual(2 * 5 + 100 + 1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(createDeadLetters({ file, max: 5 }).list()).toEqual(deadLetters.list());
  });

  test('a smaller max applies to the content of the file', () => {
    const file = newFile();
    const deadLetters = createDeadLetters({ file });
    for (const id of ['a', 'b', 'c']) deadLetters.add(deadLetter(id));
    expect(ids(createDeadLetters({ file, max: 2 }))).toEqual(['b', 'c']);
  });

  test('an invalid line is skipped', () => {
    const file = newFile();
    createDeadLetters({ file }).add(deadLetter('a'));
    appendFileSync(file, 'null\n[]\n{"letter":{"id":"x"}}\n{"letter":null}\nnot json\n{"__proto__":{"letter":1}}\n');
    expect(ids(createDeadLetters({ file }))).toEqual(['a']);
  });

  test('a lost file is written again with all kept dead letters', () => {
    const file = newFile();
    const deadLetters = createDeadLetters({ file });
    for (const id of ['a', 'b']) deadLetters.add(deadLetter(id));
    rmSync(file);
    deadLetters.add(deadLetter('c'));
    expect(ids(createDeadLetters({ file }))).toEqual(['a', 'b', 'c']);
  });

  test('a failing disk changes no result and loses no dead letter, which are written when it works again', async () => {
    const folder = join(temporaryFolder(), 'gone');
    mkdirSync(folder);
    const file = join(folder, 'letters.jsonl');
    const deadLetters = createDeadLetters({ file });
    deadLetters.add(deadLetter('a'));
    rmSync(folder, { recursive: true });

    expect((await run([bad], calls('Bad'), { deadLetters })).results).toMatchObject([{ output: 'Error: broken' }]);
    expect(() => deadLetters.add(deadLetter('b'))).toThrow('cannot be kept');
    expect(ids(deadLetters)).toEqual(['a', 'call_0', 'b']);
    expect(deadLetters.redrive(deadLetters.list()[0]?.id ?? '')).toMatchObject({ id: 'a' });

    mkdirSync(folder);
    deadLetters.add(deadLetter('c'));
    expect(ids(createDeadLetters({ file }))).toEqual(['call_0', 'b', 'c']);
  });

  test('a file with other content is not changed', () => {
    const file = newFile();
    writeFileSync(file, 'precious: true\nmore\n');
    expect(() => createDeadLetters({ file })).toThrow('it contains something else');
    expect(readFileSync(file, 'utf8')).toBe('precious: true\nmore\n');
  });

  test('a link, a folder, a relative path and a missing folder are rejected', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'target'), '');
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    for (const name of ['link', '.', 'no/letters.jsonl'])
      expect(() => createDeadLetters({ file: join(folder, name) }), name).toThrow('cannot be kept');
    expect(() => createDeadLetters({ file: 'letters.jsonl' })).toThrow('absolute');
  });
});

test('a dead letter that is too long without its input and most of its message is refused, and the others stay', () => {
  const box = createDeadLetters({ maxChars: 300 });
  box.add(deadLetter('short'));
  const long = { ...deadLetter('long', '\0'.repeat(500)), at: 'x'.repeat(300) };
  expect(() => box.add(long)).toThrow(expect.objectContaining({ code: 'storage_failed' }));
  expect(ids(box)).toEqual(['short']);
});
