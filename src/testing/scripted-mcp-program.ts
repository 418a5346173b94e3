/** The names of all faults. */
export const mcpFaults = [
  ...['exits_at_start', 'crashes_at_start', 'silent_at_start', 'noise', 'floods_stderr', 'other_protocol'],
  ...['crashes_at_list', 'silent_at_list', 'endless_pages', 'cyclic_pages', 'hangs', 'crashes', 'is_killed'],
  ...['half_a_line', 'wrong_result', 'no_content', 'rpc_error', 'answers_error', 'answers_twice', 'splits_lines'],
  ...['endless_line', 'huge_result', 'floods_changes', 'endless_progress', 'ignores_end'],
] as const;

/**
 * A fault of a server; its name says what goes wrong. `ignores_end`: the server does not exit when its input ends.
 * `huge_result`: the result has 200 MB.
 */
export type McpFault = (typeof mcpFaults)[number];

/**
 * The program of a server, for `node -e`. The arguments are the pieces of the JSON text `{ tools, fault }`. The program
 * is a string, because bundlers and coverage tools rewrite functions so that they depend on surrounding code.
 */
export const mcpProgram = String.raw`
const { tools, fault } = JSON.parse(process.argv.slice(1).join(''));
const { stdin, stdout, stderr } = process;
const send = (message) => void stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const answer = (id, result) => send({ id, result });
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const pour = (left, tail) => {
  while (left-- > 0) if (!stdout.write('y'.repeat(1_000_000))) return stdout.once('drain', () => pour(left, tail));
  stdout.write(tail);
};
const answers = {
  hangs: () => {},
  crashes: () => process.exit(7),
  is_killed: () => process.kill(process.pid, 'SIGKILL'),
  half_a_line: () => stdout.write('{"jsonrpc":"2.0","id":', () => process.exit(0)),
  wrong_result: (id) => answer(id, 7),
  no_content: (id) => answer(id, {}),
  rpc_error: (id) => send({ id, error: { code: -32_000, message: 'no such luck' } }),
  answers_error: (id) => answer(id, { ...text('no such luck'), isError: true }),
  answers_twice: (id) => ['once', 'twice'].forEach((value) => answer(id, text(value))),
  splits_lines: (id, { arguments: input = {} }) => {
    const line = JSON.stringify({ jsonrpc: '2.0', id, result: text(JSON.stringify(input)) }) + '\n';
    for (const [at, byte] of Buffer.from(line).entries()) setTimeout(() => stdout.write(Buffer.of(byte)), at);
  },
  endless_line: () => pour(Infinity, ''),
  huge_result: (id) => {
    stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[{"type":"text","text":"');
    pour(200, '"}]}}\n');
  },
  endless_progress: (id, { _meta: { progressToken } = {} }, progress = 0) => {
    const params = () => ({ progressToken, progress: ++progress });
    setInterval(() => send({ method: 'notifications/progress', params: params() }), 20);
  },
};
const list = (id, { cursor = 0 }) => {
  if (fault === 'crashes_at_list') process.exit(4);
  if (fault === 'silent_at_list') return;
  const nextCursor = { endless_pages: String(Number(cursor) + 1), cyclic_pages: 'again' }[fault];
  answer(id, { tools: tools.map(({ answer: _, ...tool }) => tool), nextCursor });
};
const take = ({ id, method, params = {} }) => {
  if (method === 'initialize') {
    if (fault === 'silent_at_start') return;
    if (fault === 'crashes_at_start') process.exit(2);
    const protocolVersion = fault === 'other_protocol' ? '1999-01-01' : params.protocolVersion;
    const serverInfo = { name: 'scripted', version: '1' };
    answer(id, { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo });
  } else if (method === 'tools/list') list(id, params);
  else if (method === 'tools/call') {
    const tool = tools.find(({ name }) => name === params.name);
    if (answers[fault]) answers[fault](id, params);
    else answer(id, text(tool?.answer ?? JSON.stringify(params.arguments ?? {})));
  } else if (method === 'ping') answer(id, {});
  else if (id !== undefined) send({ id, error: { code: -32_601, message: 'unknown' } });
};
if (fault === 'exits_at_start') process.exit(1);
if (fault === 'noise') stdout.write('Welcome!\n<html>\n{"jsonrpc":"2.0"}\nnull\n[]\n'.repeat(100));
if (fault === 'floods_stderr') setInterval(() => stderr.write('z'.repeat(100_000)), 1);
if (fault === 'floods_changes') setInterval(() => send({ method: 'notifications/tools/list_changed' }), 1);
let rest = '';
stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) take(JSON.parse(line));
});
if (fault !== 'ignores_end') stdin.on('end', () => process.exit(0));
else {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000_000);
}
`;
