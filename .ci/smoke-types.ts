// Checks the packed declarations with the TypeScript of a user. It is copied into the folder of the installation.
import { createToolkit, type ToolCallResult } from 'toolwright';
import * as anthropic from 'toolwright/anthropic';
import { Tool, ToolRegistry } from 'toolwright/core';
import * as gemini from 'toolwright/gemini';
import * as mcp from 'toolwright/mcp';
import * as openai from 'toolwright/openai';
import * as sandbox from 'toolwright/sandbox';
import * as testing from 'toolwright/testing';
import { z } from 'zod';

const repeat = Tool.define('Repeat', {
  description: 'Repeat a text.',
  input: z.object({ text: z.string(), times: z.number().optional() }),
  sideEffect: 'none',
  // The fields have the types of the schema.
  execute: async ({ text, times }) => text.toUpperCase().repeat((times ?? 1).valueOf()),
});

export const registry = new ToolRegistry().register(repeat);
export const entries: readonly object[] = [anthropic, gemini, mcp, openai, sandbox, testing];

export async function run(): Promise<readonly ToolCallResult[]> {
  const toolkit = createToolkit({ root: process.cwd() });
  toolkit.registry.register(repeat);
  const { results } = await toolkit.execute([{ id: '1', name: 'Repeat', input: { text: 'a' } }]);
  await toolkit.dispose();
  return results;
}
