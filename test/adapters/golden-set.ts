import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod/v4';
import type { PlainCallResult, ToolCall } from '../../src/core/call.js';
import { createPermissions, createRateLimiter, Tool } from '../../src/index.js';
import type { createToolkit } from '../../src/toolkit/create-toolkit.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testToolkit } from '../support/test-toolkit.js';
import { pixel } from './results.js';

/** The calls of one message of a model. `stop` is the call at whose start the run is aborted. */
export interface GoldenStep {
  readonly calls: readonly (readonly [name: string, input: unknown])[];
  readonly stop?: true;
}

const notebook = JSON.stringify({
  cells: [{ cell_type: 'code', id: 'a', metadata: {}, outputs: [], execution_count: null, source: ['1'] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

/** The calls, in the folder `root`. */
export function goldenSteps(root: string): readonly GoldenStep[] {
  const at = (name: string) => join(root, name);
  const write = (name: string, content: string) => ['Write', { file_path: at(name), content }] as const;
  const read = (name: string, more = {}) => ['Read', { file_path: at(name), ...more }] as const;
  const edit = (from: string, to: string) =>
    ['Edit', { file_path: at('f.txt'), old_string: from, new_string: to }] as const;
  const bash = (command: string) => ['Bash', { command }] as const;
  const question = {
    question: 'Which one?',
    header: 'One',
    options: ['a', 'b'].map((label) => ({ label, description: label })),
    multiSelect: false,
  };
  const step = (...calls: GoldenStep['calls']): GoldenStep => ({ calls });
  return [
    step(write('f.txt', 'one\ntwo\ntwo\n'), bash('cat f.txt'), read('f.txt')),
    step(['List', { path: root }], ['Glob', { pattern: '*.txt' }], ['Grep', { pattern: 'two', path: root }]),
    step(edit('one', 'three'), edit('four', 'five'), edit('two', 'six')),
    step(read('f.txt', { limit: '1' }), read('none.txt'), read('secret.env')),
    step(['Read', { file_path: '/etc/hostname' }]),
    step(bash('exit 3'), bash('curl example.com'), bash('mkfs /dev/none')),
    step(write('asked-yes.txt', 'yes')),
    step(write('asked-no.txt', 'no')),
    step(['NotebookEdit', { notebook_path: at('n.ipynb'), cell_id: 'a', new_source: '2' }]),
    step(['TodoWrite', { todos: [{ content: 'Do', status: 'pending', activeForm: 'Doing' }] }]),
    step(['TaskOutput', { task_id: 'none' }], ['TaskStop', { task_id: 'none' }]),
    step(['WebSearch', { query: 'words' }], ['WebFetch', { url: 'http://127.0.0.1:9/', prompt: 'What?' }]),
    step(['AskUserQuestion', { questions: [question] }], ['Config', { setting: 'theme' }]),
    step(['ListMcpResources', {}], ['ReadMcpResource', { server: 's', uri: 'a:b' }]),
    step(['Picture', {}], ['Archive', {}]),
    step(['Slow', {}], ['Broken', {}]),
    step(['Limited', {}], ['Limited', {}]),
    step(['Hooked', {}], ['Hooked', { refuse: true }]),
    step(['Read', {}]),
    step(['Nothing', { a: 1 }]),
    { calls: [bash('sleep 60')], stop: true },
    { calls: [['UndoFile', { file_path: at('f.txt') }]] },
  ];
}

/** The outcome of a call for the host, from the events of the toolkit. */
export interface GoldenWorld {
  readonly root: string;
  readonly toolkit: ReturnType<typeof createToolkit>;
  /** Every result, in the order in which the calls settled. */
  readonly results: PlainCallResult[];
  /** Calls that have started, by id. */
  readonly started: Set<string>;
}

/** A folder and a toolkit for the golden set. Both are removed after the test. */
export function goldenWorld(): GoldenWorld {
  const root = temporaryFolder();
  writeFileSync(join(root, 'secret.env'), 'nothing\n');
  writeFileSync(join(root, 'n.ipynb'), notebook);
  mkdirSync(join(root, 'folder'));
  const results: PlainCallResult[] = [];
  const started = new Set<string>();
  const toolkit = testToolkit({
    root,
    features: { undo: true, offerAll: true },
    permissions: createPermissions({
      allow: ['*'],
      ask: ['Write(**/asked-*)'],
      deny: ['Read(**/*.env)', 'Bash(curl *)'],
      onAsk: ({ title }) => (title.includes('yes') ? 'allow-once' : 'deny'),
    }),
    hooks: {
      PreToolUse: [
        {
          matcher: 'Hooked',
          hooks: [
            ({ input }) =>
              (input as { refuse?: boolean }).refuse === true
                ? { decision: 'deny', reason: 'not now' }
                : { additionalContext: 'Mind the gap.' },
          ],
        },
      ],
    },
    rateLimiter: createRateLimiter({ max: 1_000, perTool: { Limited: { max: 1 } } }),
    hosts: {
      search: { search: () => Promise.resolve([{ title: 'A page', url: 'https://example.com/', snippet: 'Words' }]) },
      userInput: { ask: () => ({ answers: { 'Which one?': 'a' } }) },
    },
    onEvent: (event) => {
      if (event.type === 'tool-start') started.add(event.callId);
      if (event.type === 'tool-result') results.push(event.result);
    },
  });
  toolkit.registry.register(...ownTools());
  return { root, toolkit, results, started };
}

function ownTools(): Tool[] {
  const attached = (mediaType: string, data: string) => ({ output: 'Here.', attachments: [{ mediaType, data }] });
  const own = (name: string, execute: () => string | object | Promise<string>, more = {}) =>
    Tool.define(name, {
      description: `${name}, for tests.`,
      input: z.object({ refuse: z.boolean().optional() }),
      sideEffect: 'none',
      execute: execute as () => string,
      ...more,
    });
  return [
    own('Picture', () => attached('image/png', pixel)),
    own('Archive', () => attached('application/zip', 'AAAA')),
    own('Slow', () => new Promise<string>(() => {}), { timeoutMs: 10 }),
    own('Broken', () => {
      throw new Error('It broke.');
    }),
    own('Limited', () => 'Once.'),
    own('Hooked', () => 'Done.'),
  ] as Tool[];
}

/** The files below a folder, by path: their text. */
export function treeOf(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => statSync(join(root, path)).isFile());
  return Object.fromEntries(files.map((path) => [relative('.', path), readFileSync(join(root, path), 'utf8')]));
}

/** A text without parts that differ between runs. */
export function settled(text: string, root: string): string {
  return text
    .replaceAll(root, '/root')
    .replaceAll(/\bcall_[\w-]+/g, 'call_N')
    .replaceAll(/\b\d+(?:\.\d+)? (?:s|ms|minutes?|seconds?|hours?)\b/g, 'N s')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'T');
}

/** The calls of a step, with ids by step and position. */
export function callsOf({ calls }: GoldenStep, step: number): ToolCall[] {
  return calls.map(([name, input], place) => ({ id: `call_${step}_${place}`, name, input }));
}
