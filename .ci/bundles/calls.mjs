// Makes some calls and uses the synchronous functions, and prints the results. Paths and ids are replaced, so that the
// output is the same everywhere.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assessCommand, createScrubber, createToolkit, Tool } from 'toolwright';
import { toAiTools } from 'toolwright/ai-sdk';
import { toRunnableTools } from 'toolwright/anthropic';
import { toClaudeServer } from 'toolwright/claude-agent';
import { fromGemini, toGeminiParts } from 'toolwright/gemini';
import { toLangChainTools } from 'toolwright/langchain';
import { McpManager } from 'toolwright/mcp';
import { serveMcp } from 'toolwright/mcp-server';
import { fromOpenAI, toOpenAIMessages } from 'toolwright/openai';
import { toAgentTools } from 'toolwright/openai-agents';

const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
const notebook = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };

async function main() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-calls-')));
  const at = (name) => join(root, name);
  writeFileSync(at('paper.pdf'), '%PDF-1.4\n');
  writeFileSync(at('notes.ipynb'), JSON.stringify(notebook));
  const own = Tool.define('Greet', {
    description: 'Greets somebody by name, politely.',
    input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    sideEffect: 'none',
    execute: async ({ name }) => ({ output: `Hello ${name}` }),
  });
  const toolkit = createToolkit({ root, permissions: 'bypassPermissions' });
  toolkit.registry.register(own);
  const lines = [];
  const call = async (name, input, by = toolkit) => {
    const { results } = await by.execute([{ id: 'call', name, input }]);
    const [{ ok, output, error }] = results;
    const plain = output
      .replaceAll(root, 'ROOT')
      .replaceAll(/task_[0-9a-f]+|toolwright-[^/]*|(?<=cell )[0-9a-f]{8}/g, 'ID');
    lines.push(`${name} ${ok ? 'ok' : error.code}: ${plain}`);
    return output;
  };

  await call('Write', { file_path: at('a.txt'), content: 'one\ntwo\n' });
  await call('Read', { file_path: at('a.txt') });
  await call('Edit', { file_path: at('a.txt'), old_string: 'two', new_string: 'three' });
  await call('Glob', { pattern: '*.txt' });
  await call('Grep', { pattern: 'thr.e', output_mode: 'content' });
  await call('Grep', { pattern: 'one', output_mode: 'count', glob: '*.txt' });
  await call('Bash', { command: 'cat a.txt | tr a-z A-Z' });
  await call('Bash', { command: 'echo lost >&2; exit 3' });
  const started = await call('Bash', { command: 'echo up; sleep 60', run_in_background: true });
  const task_id = /task_[0-9a-f]+/.exec(started)?.[0];
  await call('TaskOutput', { task_id, block: false }).then(() => lines.pop());
  await call('TaskStop', { task_id });
  await call('NotebookEdit', {
    notebook_path: at('notes.ipynb'),
    new_source: 'x = 1',
    cell_type: 'code',
    edit_mode: 'insert',
  });
  await call('ExitPlanMode', { plan: 'Tidy up.' });
  await call('Write', { file_path: at('keys.txt'), content: `TOKEN=${token}\n` });
  await call('Read', { file_path: at('keys.txt') });
  await call('Read', { file_path: '/etc/passwd' });
  await call('Read', { file_path: at('paper.pdf') });
  await call('Bash', { command: 'rm -rf /' });
  await call('Edit', { file_path: at('a.txt'), old_string: 7 });
  await call('WebFetch', { url: 'http://127.0.0.1/', prompt: 'Anything?' });
  await call('WebSearch', { query: 'anything' });
  await call('Greet', { name: 'Ada' });
  await call('Greet', {});
  await call('Write', { file_path: at('b.txt'), content: '' }, createToolkit({ root }));
  const serving = await serveMcp(toolkit, { transport: { port: 0, token: false } });
  const mcp = new McpManager({ servers: { own: { url: serving.url } } });
  const client = createToolkit({ root, hosts: { mcp }, permissions: 'bypassPermissions' });
  await mcp.connect();
  await call('mcp__own__Greet', { name: 'Grace' }, client);
  await client.dispose();
  await mcp.dispose();
  await serving.close();
  lines.push(`assess ${assessCommand('ls -la | head').verdict} ${assessCommand('rm -rf /').verdict}`);
  lines.push(`scrub ${createScrubber().text(`token ${token}`)}`);
  for (const { name, inputSchema } of toolkit.definitions())
    lines.push(`${name} ${Object.keys(inputSchema.properties)}`);
  const input = { name: 'Ada' };
  const id = 'call';
  const greets = (tools) => tools.find((tool) => tool.name === 'Greet');
  for await (const output of toAiTools(toolkit).Greet.execute(input, { toolCallId: id, messages: [] }))
    lines.push(`ai-sdk ${output.output}`);
  const approved = { isToolApproved: () => true };
  lines.push(`openai-agents ${await greets(toAgentTools(toolkit)).invoke(approved, JSON.stringify(input))}`);
  lines.push(`langchain ${await greets(toLangChainTools(toolkit)).invoke(input)}`);
  lines.push(`anthropic ${JSON.stringify(await greets(toRunnableTools(toolkit)).run(input, { toolUse: { id } }))}`);
  const gemini = await toolkit.execute(fromGemini({ functionCall: { id, name: 'Greet', args: input } }));
  lines.push(`gemini ${JSON.stringify(toGeminiParts(gemini.results))}`);
  const openai = await toolkit.execute(
    fromOpenAI({ tool_calls: [{ id, function: { name: 'Greet', arguments: '{}' } }] }),
  );
  lines.push(`openai ${JSON.stringify(toOpenAIMessages(openai.results))}`);
  lines.push(`claude-agent ${toClaudeServer(toolkit).type}`);
  await toolkit.dispose();
  rmSync(root, { recursive: true });
  console.log(lines.join('\n'));
}

main();
