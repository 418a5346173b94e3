import * as z from 'zod/v4';
import type { SchemaLike, SchemaOutput, Tool, ToolDefinition, ToolInit, ToolMetadata } from '../src/core.js';
declare function define<S extends SchemaLike, M extends ToolMetadata = ToolMetadata>(
  name: string, definition: ToolDefinition<S, M> | ToolInit<S, M>): Tool<SchemaOutput<S>, M>;
export const a = define('X', async ({ cwd }) => ({ description: cwd, input: z.object({ text: z.string() }), sideEffect: 'none', execute: async ({ text }) => text.toUpperCase() }));
export const b = define('X', ({ cwd }) => ({ description: cwd, input: z.object({ text: z.string() }), sideEffect: 'none', execute: async ({ text }) => text.toUpperCase() }));
export const c = define('X', async ({ cwd }) => ({ description: cwd, input: { type: 'object', properties: {} }, sideEffect: 'none', execute: ({ text }) => String(text) }));
export const d = define('X', async () => { const x = await Promise.resolve('a'); return { description: x, input: z.object({ text: z.string() }), sideEffect: 'none', title: ({ text }) => text, execute: ({ text }) => text.toUpperCase() }; });
export const e = define('X', async () => ({ description: '', input: z.object({}), sideEffect: 'none', footprint: () => ({ reads: 'everything', writes: 'nothing' }), execute: () => '' }));
export const f: Tool<{ text: string }> = define('X', { description: '', input: z.object({ text: z.string() }), sideEffect: 'none', footprint: () => ({ reads: 'everything', writes: 'nothing' }), execute: ({ text }) => text.toUpperCase() });
export const g: Tool<Record<string, unknown>> = define('X', { description: '', input: { type: 'object' }, sideEffect: 'none', execute: ({ text }) => String(text) });
export const h: Tool<Record<string, unknown>, { a: number }> = define('X', { description: '', input: { type: 'object' }, sideEffect: 'none', execute: () => ({ output: '', metadata: { a: 1 } }) });
const schema = z.object({ text: z.string() });
export const i = define<typeof schema, { a: number }>('X', { description: '', input: schema, sideEffect: 'none', execute: ({ text }) => ({ output: text, metadata: { a: 1 } }) });
export const w1 = define('X', { description: '', input: schema, sideEffect: 'evil', execute: () => '' });
export const w2 = define('X', { description: '', inputs: schema, sideEffect: 'none', execute: () => '' });
export const w3 = define('X', { description: '', input: schema, sideEffect: 'none', timeout: 5, execute: () => '' });
export const w4 = define('X', async () => ({ description: '', input: schema, sideEffect: 'evil', execute: () => '' }));
export const check: Tool<{ text: string }>[] = [a, b, d];
