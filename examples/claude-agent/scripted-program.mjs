// Replaces the program of the Claude Agent SDK: it makes the calls that the prompt contains as JSON, one after the
// other, over the server of the host, and answers with the results.
import { createInterface } from 'node:readline';

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const asked = new Map();
let count = 0;

function ask(message) {
  count += 1;
  const request_id = `request_${count}`;
  say({ type: 'control_request', request_id, request: { subtype: 'mcp_message', server_name: 'toolwright', message } });
  return new Promise((resolve) => asked.set(request_id, resolve));
}

async function call(method, params = {}) {
  const { mcp_response } = await ask({ jsonrpc: '2.0', id: count, method, params });
  return mcp_response.result ?? { error: mcp_response.error };
}

async function connect() {
  await call('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'scripted', version: '1' },
  });
  await ask({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

let connected;

async function converse(calls) {
  connected ??= connect();
  await connected;
  const { tools } = await call('tools/list');
  const results = {};
  for (const { id, name, input } of calls) results[id] = await call('tools/call', { name, arguments: input });
  const result = JSON.stringify({ tools: tools.map(({ name }) => name), results });
  const usage = { input_tokens: 1, output_tokens: 1 };
  say({ type: 'result', subtype: 'success', is_error: false, result, session_id: 's', uuid: 'u', num_turns: 1, usage });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'control_request') {
    const { request_id } = message;
    say({ type: 'control_response', response: { subtype: 'success', request_id, response: { commands: [] } } });
  } else if (message.type === 'control_response') asked.get(message.response.request_id)?.(message.response.response);
  else if (message.type === 'user') {
    const { content } = message.message;
    void converse(JSON.parse(typeof content === 'string' ? content : content[0].text));
  }
});
