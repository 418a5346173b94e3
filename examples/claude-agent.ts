/**
 * The Claude Agent SDK: a toolkit as one of its MCP servers, in this process.
 *
 * npx tsx examples/claude-agent.ts needs no network and no key: a scripted program replaces Claude Code
 */
import { fileURLToPath } from 'node:url';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { toClaudeServer } from 'toolwright/claude-agent';
import { inWorkspace } from './adapters/workspace.js';

await inWorkspace(async ({ toolkit, calls, expected }) => {
  const messages = query({
    prompt: JSON.stringify(calls),
    options: {
      mcpServers: { toolwright: toClaudeServer(toolkit, { sessionId: 'claude' }) },
      allowedTools: ['mcp__toolwright'],
      // A real program omits these two options, because the SDK contains Claude Code.
      executable: 'node',
      pathToClaudeCodeExecutable: fileURLToPath(new URL('claude-agent/scripted-program.mjs', import.meta.url)),
    },
  });
  let answer = '';
  for await (const message of messages) {
    if (message.type !== 'result' || message.subtype !== 'success') continue;
    answer = message.result;
    break;
  }
  return { 'the calls ran in this process, in their order': answer.includes(JSON.stringify(expected).slice(1, -1)) };
});
