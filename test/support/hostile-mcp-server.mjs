// An MCP server with hand-written JSON-RPC that misbehaves in the way given by its first argument. The second argument
// is for that way.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const [behaviour = 'good', detail = ''] = process.argv.slice(2);
const object = { type: 'object' };
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (id, result) => send({ id, result });
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const nested = (depth) => (depth === 0 ? object : { type: 'object', properties: { a: nested(depth - 1) } });
// `says`: for each method the answers in turn, of which the last repeats; null means no answer.
const said = behaviour === 'says' ? JSON.parse(detail) : {};
const waitForEver = () => setInterval(() => {}, 1_000_000);
const question = (message) => ({ message, requestedSchema: { type: 'object', properties: {} } });
let described = 'first';
let lists = 0;
let announced = [];

const toolLists = {
  many: () => Array.from({ length: 10_000 }, (_, at) => ({ name: `t${at}`, inputSchema: object })),
  fifty: () =>
    Array.from({ length: 50 }, (_, at) => ({ name: `t${at}`, description: 'd'.repeat(200), inputSchema: object })),
  too_many: () => Array.from({ length: 10_050 }, (_, at) => ({ name: `t${at}`, inputSchema: object })),
  bad_schemas: () => [
    { name: 'none' },
    { name: 'null', inputSchema: null },
    { name: 'list', inputSchema: [] },
    { name: 'text', inputSchema: { type: 'string' } },
    { name: 'remote', inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } } },
    { name: 'file', inputSchema: { type: 'object', $ref: 'file:///etc/passwd' } },
    { name: 'deep', inputSchema: nested(500) },
    { name: 'long', inputSchema: { type: 'object', description: 'y'.repeat(200_000) } },
    { name: 'task', inputSchema: object, execution: { taskSupport: 'required' } },
    { inputSchema: object },
    { name: 7, inputSchema: object },
    'no tool',
    null,
    { name: 'good', inputSchema: { type: 'object', properties: { $ref: { type: 'string' } } } },
    { name: 'untyped', inputSchema: { properties: {} }, annotations: 'none', description: 7 },
  ],
  odd_schemas: () => [
    { name: 'any', inputSchema: { type: 'object', properties: { a: { type: 'any' } } } },
    { name: 'look', inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(?!b)' } } } },
    { name: 'plain', inputSchema: object },
  ],
  names: () =>
    ['Read', 'a.b', 'a_b', '__proto__', 'constructor', 'ü', 'x'.repeat(500), 'Read', '', ' '].map((name) => ({
      name,
      inputSchema: object,
    })),
  long_description: () => [{ name: 't', description: 'y'.repeat(50_000), inputSchema: object }],
  changes: () => [
    { name: 'a', description: described, inputSchema: object },
    { name: 'b', description: 'same', inputSchema: object },
  ],
  renames: () => [{ name: `t${lists}`, inputSchema: object }],
  crashes_once: () => [{ name: 'echo', inputSchema: object, annotations: JSON.parse(detail).annotations }],
  flood_of_changes: () => [{ name: 'echo', inputSchema: object }],
};
const tools = toolLists[behaviour] ?? (() => [{ name: 'echo', inputSchema: object }]);

const calls = {
  hang: () => {},
  crash_during_call: () => {
    process.stderr.write('out of luck\n');
    process.exit(7);
  },
  kill_during_call: () => process.kill(process.pid, 'SIGKILL'),
  answers_and_dies: (id) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: text('last') })}\n`, () => process.exit(0)),
  huge_result: (id) => writeHuge(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`, '"}]}}\n'),
  huge_result_id_last: (id) =>
    writeHuge('{"result":{"content":[{"type":"text","text":"', `"}]},"jsonrpc":"2.0","id":${id}}\n`),
  endless_line: () => writeForEver(),
  half_a_line: () => process.stdout.write('{"jsonrpc":"2.0","id":', () => process.exit(0)),
  split_lines: (id) => {
    const line = `${JSON.stringify({ jsonrpc: '2.0', id, result: text('ü split') })}\n`;
    for (const [at, byte] of Buffer.from(line).entries()) setTimeout(() => process.stdout.write(Buffer.of(byte)), at);
  },
  garbage_around: (id) => {
    process.stdout.write('hello\n{"jsonrpc"\n[]\nnull\n7\n"x"\n{"jsonrpc":"2.0","id":{},"result":1}\n\n\0\x1b[31m\n');
    process.stdout.write(`${'['.repeat(100_000)}\n`);
    answer(id, text('after garbage'));
    answer(id, text('twice'));
    answer(99_999, text('never asked'));
  },
  late_answer: (id) => setTimeout(() => answer(id, text('late')), Number(detail)),
  wrong_result: (id) => answer(id, 7),
  no_content: (id) => answer(id, {}),
  odd_content: (id) =>
    answer(id, {
      content: [{ type: 'hologram', x: 1 }, null, { type: 'text' }, { type: 'image', data: 1 }],
      _meta: { progressToken: {} },
    }),
  rpc_error: (id) => send({ id, error: { code: -32_000, message: 'no such luck' } }),
  sdk_error: (id, { arguments: input = {} }) => {
    const message = 'MCP error -32602: MCP error -32602: no such luck';
    if (input.thrown === true) send({ id, error: { code: -32_602, message } });
    else answer(id, { ...text(message), isError: true });
  },
  progress_for_ever: (_id, { _meta } = {}) => progress(_meta, () => {}),
  progress_then_answer: (id, { _meta } = {}) =>
    progress(_meta, (at) => at === Number(detail) && answer(id, text('done'))),
  progress_burst: (id, { _meta } = {}) => {
    for (let at = 1; at <= Number(detail); at++)
      send({ method: 'notifications/progress', params: { progressToken: _meta?.progressToken, progress: at } });
    answer(id, text('done'));
  },
  asks_back: (id) => {
    const [method, params] =
      detail === '' ? ['sampling/createMessage', { messages: [], maxTokens: 1 }] : JSON.parse(detail);
    send({ id: 'ask', method, params });
    waiting.set('ask', (message) => answer(id, text(JSON.stringify(message.result ?? message.error))));
  },
  asks_late: (id, { arguments: input = {} }) => {
    if (input.ask === true) send({ id: `late-${id}`, method: 'elicitation/create', params: question('late?') });
    else answer(id, text('first'));
    waiting.set(`late-${id}`, (message) => answer(id, text(JSON.stringify(message.result ?? message.error))));
  },
  asks_aside: (id, { arguments: input = {} }) => {
    send({ id: 'aside', method: 'elicitation/create', params: question('aside?') });
    waiting.set('aside', () => appendFileSync(detail, 'x'));
    if (input.hang !== true) answer(id, text('done'));
  },
  asks_much: (id) => {
    const answers = [];
    for (let at = 0; at < 12; at++) {
      send({ id: `much-${at}`, method: 'elicitation/create', params: question(`${at}?`) });
      waiting.set(`much-${at}`, (message) => {
        answers.push(message.error?.message ?? message.result.action);
        if (answers.length === 12) answer(id, text(JSON.stringify(answers)));
      });
    }
  },
  slow_list: (id) => {
    send({ method: 'notifications/tools/list_changed' });
    answer(id, text('changed'));
  },
  who_answers: (id) => answer(id, text(announced.join())),
  answers_by_name: (id, { arguments: input = {} }) => {
    setTimeout(() => answer(id, text(String(input.value))), Math.random() * 20);
  },
  echo_env: (id, { arguments: input = {} }) => answer(id, text(process.env[input.name] ?? 'unset')),
  crashes_once: (id) => {
    const file = `${JSON.parse(detail).folder}/starts`;
    appendFileSync(file, 'x');
    const { length } = readFileSync(file, 'utf8');
    if (length === 1) process.exit(7);
    answer(id, text(`started ${length} times`));
  },
  no_answer_to_ping: (id) => answer(id, text('here')),
};
const waiting = new Map();

function progress(meta, then) {
  let at = 0;
  setInterval(() => {
    at++;
    send({ method: 'notifications/progress', params: { progressToken: meta?.progressToken, progress: at } });
    then(at);
  }, 20);
}

function writeHuge(head, tail) {
  process.stdout.write(head);
  let left = 200;
  const part = 'y'.repeat(1_000_000);
  const more = () => {
    while (left-- > 0) if (!process.stdout.write(part)) return process.stdout.once('drain', more);
    return process.stdout.write(tail);
  };
  more();
}

function writeForEver() {
  const part = 'y'.repeat(1_000_000);
  const more = () => {
    while (process.stdout.write(part));
    process.stdout.once('drain', more);
  };
  more();
}

const handlers = {
  initialize: (id, params) => {
    if (behaviour === 'never_answers_initialize') return;
    announced = Object.keys(params.capabilities).sort();
    if (behaviour === 'crash_at_initialize') process.exit(2);
    const capabilities = { tools: { listChanged: true }, prompts: {}, resources: {} };
    const protocolVersion = behaviour === 'other_protocol' ? '1999-01-01' : params.protocolVersion;
    answer(id, {
      protocolVersion,
      capabilities,
      serverInfo: { name: 'hostile', version: '1' },
      instructions: 'Be wary.',
    });
  },
  'notifications/initialized': () => {
    if (behaviour === 'crash_after_initialize') process.exit(3);
    if (behaviour === 'flood_of_changes')
      setInterval(() => {
        for (let at = 0; at < 100; at++) send({ method: 'notifications/tools/list_changed' });
      }, 5);
  },
  'notifications/cancelled': () => detail.startsWith('/') && appendFileSync(detail, 'cancelled\n'),
  ping: (id) => behaviour !== 'no_answer_to_ping' && answer(id, {}),
  'tools/list': (id, { cursor } = {}) => {
    lists++;
    if (behaviour === 'crash_at_list') process.exit(4);
    if (behaviour === 'hang_at_list') return;
    if (behaviour === 'lists_once' && lists > 1) return send({ id, error: { code: -32_603, message: 'not again' } });
    if (behaviour === 'cyclic_cursor') {
      const at = cursor === 'b' ? 'b' : cursor === 'a' ? 'a' : 'start';
      return answer(id, { tools: [{ name: at, inputSchema: object }], nextCursor: at === 'a' ? 'b' : 'a' });
    }
    if (behaviour === 'endless_pages')
      return answer(id, { tools: [{ name: `p${lists}`, inputSchema: object }], nextCursor: `${lists}` });
    if (behaviour === 'pages') {
      const at = Number(cursor ?? 0);
      return answer(id, {
        tools: [{ name: `p${at}`, inputSchema: object }],
        ...(at < 4 && { nextCursor: `${at + 1}` }),
      });
    }
    if (behaviour === 'slow_list' && lists > 1) {
      appendFileSync(detail, 'x');
      const change = (at) => setTimeout(() => send({ method: 'notifications/tools/list_changed' }), at * 10);
      if (lists === 2) for (let at = 0; at < 20; at++) change(at);
      const listed = { tools: [{ name: `at${lists}`, inputSchema: object }] };
      return setTimeout(() => answer(id, listed), lists === 2 ? 300 : 0);
    }
    if (behaviour === 'huge_list') return writeHuge(`{"jsonrpc":"2.0","id":${id},"result":{"x":"`, '"}}\n');
    answer(id, { tools: tools() });
  },
  'prompts/list': (id) => answer(id, { prompts: [{ name: 'p', description: 'A prompt' }, { nothing: 1 }] }),
  'resources/list': (id) => answer(id, { resources: [{ uri: 'x:1', name: 'one' }, 7, { name: 'no uri' }] }),
  'resources/templates/list': (id) => send({ id, error: { code: -32_601, message: 'unknown' } }),
  'resources/read': (id, { uri }) => answer(id, { contents: [{ uri, text: 'content' }, null] }),
  'tools/call': (id, params) => {
    if (params.name === 'change') {
      described = params.arguments.description;
      answer(id, text('changed'));
      send({ method: 'notifications/tools/list_changed' });
    } else if (behaviour === 'changes' || behaviour === 'renames' || behaviour === 'lists_once') {
      if (params.arguments?.description !== undefined) described = params.arguments.description;
      for (let at = 0; at < 50; at++) send({ method: 'notifications/tools/list_changed' });
      answer(id, text('changed'));
    } else
      (calls[behaviour] ?? ((one, { arguments: input }) => answer(one, text(JSON.stringify(input ?? {})))))(id, params);
  },
};

if (behaviour === 'exit_at_once') process.exit(1);
if (behaviour === 'garbage_at_once') process.stdout.write('Welcome!\n<html>\n{"jsonrpc":"2.0"}\n'.repeat(1_000));
if (behaviour === 'flood_of_stderr') setInterval(() => process.stderr.write('z'.repeat(100_000)), 1);
if (behaviour === 'ignores_end' || behaviour === 'ignores_end_with_children') {
  process.on('SIGTERM', () => {});
  waitForEver();
}
if (behaviour.endsWith('with_children')) {
  // One process in the group, and one that left it.
  const stay = ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000000)', ...process.argv.slice(4)];
  spawn(process.execPath, stay, { stdio: 'inherit' });
  spawn(process.execPath, stay, { stdio: 'ignore', detached: true }).unref();
}
if (behaviour === 'second_start_fails') {
  if (existsSync(detail)) process.exit(5);
  writeFileSync(detail, 'started');
}
if (behaviour === 'counts_starts') writeFileSync(detail, `${existsSync(detail) ? readFileSync(detail) : ''}x`);
if (behaviour === 'closes_stdout') setTimeout(() => closeSync(1), 50);
if (behaviour === 'talks') {
  const message = `${JSON.stringify({ jsonrpc: '2.0', ...JSON.parse(detail) })}\n`.repeat(200);
  const more = () => {
    while (process.stdout.write(message));
    process.stdout.once('drain', more);
  };
  handlers['notifications/initialized'] = more;
}
if (behaviour === 'never_reads') waitForEver();
else {
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, method, params, ...other } = JSON.parse(line);
      const answers = said[method] ?? [];
      if (answers.length > 0) {
        const next = answers.length > 1 ? answers.shift() : answers[0];
        if (typeof next === 'number') process.exit(next);
        const { changed = false, before = '', ...message } = next;
        process.stdout.write(before);
        if (changed) send({ method: 'notifications/tools/list_changed' });
        send({ id, ...message });
      } else if (method === undefined) waiting.get(id)?.({ id, ...other });
      else handlers[method]?.(id, params);
    }
  });
  if (!behaviour.startsWith('ignores_end')) process.stdin.on('end', () => process.exit(0));
}
