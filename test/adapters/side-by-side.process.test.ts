import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/v4';
import { createPermissions, createToolkit, Tool, type ToolkitOptions } from '../../src/index.js';
import { eachRow } from '../support/each-row.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { frameworks } from './frameworks.js';

/** A toolkit with a tool that the test ends. */
function world(options: Partial<ToolkitOptions> = {}) {
  const root = temporaryFolder();
  const toolkit = createToolkit({ root, permissions: 'bypassPermissions', ...options });
  const waiting = new Map<string, (text: string) => void>();
  const stopped: string[] = [];
  toolkit.registry.register(
    Tool.define('Wait', {
      description: 'Waits for the test.',
      input: z.object({ name: z.string() }),
      sideEffect: 'none',
      execute: ({ name }, { signal }) =>
        new Promise<string>((resolve) => {
          waiting.set(name, resolve);
          signal.addEventListener('abort', () => {
            stopped.push(name);
            resolve('');
          });
        }),
    }),
  );
  onTestFinished(() => toolkit.dispose());
  const at = (name: string) => join(root, name);
  return { root, at, toolkit, waiting, stopped, isWaiting: (name: string) => until(() => waiting.has(name)) };
}

describe.each(frameworks)('$name', ({ open }) => {
  test('calls that are started together run in their order', async () => {
    const { toolkit, at } = world();
    const { call } = open(toolkit);
    const texts = await Promise.all([
      call({ id: 'a', name: 'Write', input: { file_path: at('f'), content: 'one\n' } }),
      call({ id: 'b', name: 'Bash', input: { command: 'cat f; echo two >> f' } }),
      call({ id: 'c', name: 'Read', input: { file_path: at('f') } }),
    ]);
    expect(texts[1]).toContain('one');
    expect(texts[2]).toMatch(/one.*two/);
  });

  test('a finished call returns while another one runs', async () => {
    const { toolkit, at, waiting, isWaiting } = world();
    const { call } = open(toolkit);
    const slow = call({ id: 'a', name: 'Wait', input: { name: 'slow' } });
    const fast = call({ id: 'b', name: 'Read', input: { file_path: at('none') } });
    expect(await fast).toContain('Error: ');
    await isWaiting('slow');
    waiting.get('slow')?.('At last.');
    expect(await slow).toContain('At last.');
  });

  test('the result limit of a turn applies to calls that were started together', async () => {
    const { toolkit } = world({ limits: { output: { maxTurnChars: 4_000 } } });
    const { call } = open(toolkit);
    const command = `printf '%03000d' 0`;
    const texts = await Promise.all(['a', 'b', 'c'].map((id) => call({ id, name: 'Bash', input: { command } })));
    expect(texts.join('').length).toBeLessThan(5_500);
  });

  test('a denial that ends the turn ends it for the later calls', async () => {
    const onAsk = () => ({ behavior: 'deny' as const, message: 'Stop here.', interrupt: true });
    const { toolkit, at } = world({ permissions: createPermissions({ onAsk }) });
    const { call } = open(toolkit);
    const [asked, after] = await Promise.all([
      call({ id: 'a', name: 'Write', input: { file_path: at('f'), content: '' } }),
      call({ id: 'b', name: 'Read', input: { file_path: at('g') } }),
    ]);
    expect(asked).toContain('Stop here.');
    expect(after).toContain('operation cancelled');
  });

  test('a framework that aborts all calls ends them', async () => {
    const { toolkit, stopped, isWaiting } = world();
    const { call } = open(toolkit);
    const stop = new AbortController();
    const calls = ['a', 'b'].map((name) => call({ id: name, name: 'Wait', input: { name }, signal: stop.signal }));
    await Promise.all(['a', 'b'].map(isWaiting));
    stop.abort();
    await Promise.allSettled(calls);
    await until(() => stopped.length === 2);
  });

  test('a framework that aborts one of several calls gets the others', async () => {
    const { toolkit, waiting, stopped, isWaiting } = world();
    const { call } = open(toolkit);
    const [first, second] = [new AbortController(), new AbortController()];
    const gone = call({ id: 'a', name: 'Wait', input: { name: 'a' }, signal: first.signal });
    const kept = call({ id: 'b', name: 'Wait', input: { name: 'b' }, signal: second.signal });
    await Promise.all(['a', 'b'].map(isWaiting));
    first.abort();
    waiting.get('b')?.('Kept.');
    expect(await kept).toContain('Kept.');
    // The remaining results are not needed.
    await Promise.allSettled([gone]);
    await until(() => stopped.includes('a'));
  });

  test('a long result does not delay an aborted call', async () => {
    const { toolkit, stopped, isWaiting } = world({ limits: { output: { maxTurnChars: 4_000 } } });
    const { call } = open(toolkit);
    const stop = new AbortController();
    const long = call({ id: 'a', name: 'Bash', input: { command: `printf '%03000d' 0` } });
    const gone = call({ id: 'b', name: 'Wait', input: { name: 'b' }, signal: stop.signal });
    await isWaiting('b');
    stop.abort();
    await Promise.allSettled([long, gone]);
    await until(() => stopped.includes('b'));
  });

  test('a call that is aborted before its start does not start', async () => {
    const { toolkit, at } = world();
    const { call } = open(toolkit);
    const signal = AbortSignal.abort();
    const write = (id: string, more: object) =>
      call({ id, name: 'Write', input: { file_path: at(id), content: id }, ...more }).catch(String);
    await Promise.all([write('a', { signal }), write('b', {})]);
    expect(readFileSync(at('b'), 'utf8')).toBe('b');
    expect(() => readFileSync(at('a'))).toThrow('ENOENT');
  });

  test('two calls with one id get a result each', async () => {
    const { toolkit, at } = world();
    const { call } = open(toolkit);
    const texts = await Promise.all(
      ['f', 'g'].map((name) => call({ id: 'same', name: 'Write', input: { file_path: at(name), content: name } })),
    );
    expect(texts[0]).toContain(at('f'));
    expect(texts[1]).toContain(at('g'));
    expect(await call({ id: 'same', name: 'Read', input: { file_path: at('f') } })).toContain('f');
  });

  test('a call without an id gets its result', async () => {
    const { toolkit, at } = world();
    expect(await open(toolkit).call({ id: '', name: 'Read', input: { file_path: at('f') } })).toMatch(/Error|not/);
  });

  test('anything but an object is an error', () =>
    eachRow([['text'], ['{"file_path": "/a'], [3], [null], [[]]], async ([input]) => {
      const { toolkit } = world();
      const text = await open(toolkit).call({ id: 'a', name: 'Read', input });
      expect(text).toMatch(/Error: |did not match/);
    }));

  test('a framework that changes schemas and results affects no others', async () => {
    const { toolkit, at } = world();
    const { schemas, call } = open(toolkit);
    for (const schema of schemas)
      Object.assign(schema, { __absolute_uri__: 'x', required: ['nothing'], type: 'array' });
    expect(JSON.stringify(toolkit.definitions())).not.toContain('__absolute_uri__');
    expect(await open(toolkit).call({ id: 'a', name: 'Glob', input: { pattern: '*' } })).toContain('No files found');
    expect(await call({ id: 'b', name: 'Read', input: { file_path: at('f') } })).toBeDefined();
  });

  test('after dispose every call says that the toolkit was disposed', async () => {
    const { toolkit, at } = world();
    const { call } = open(toolkit);
    await toolkit.dispose();
    expect(await call({ id: 'a', name: 'Read', input: { file_path: at('f') } })).toContain('the toolkit was disposed');
  });
});
