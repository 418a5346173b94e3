import * as z from 'zod/v4';
import type { SuspensionStore } from '../../src/core.js';
import {
  type AskAnswer,
  createPermissions,
  createToolkit,
  Tool,
  type ToolCall,
  type ToolCallResult,
  type ToolHooks,
  type Toolkit,
} from '../../src/index.js';
import { type MemoryFiles, memoryFiles } from '../../src/testing/index.js';

export const suspensionSecret = 'a secret of at least thirty-two characters';

/** The effects outside of results, in order. */
export interface World {
  readonly files: MemoryFiles;
  readonly acted: string[];
}

export function newWorld(): World {
  return { files: memoryFiles({ root: '/ws', files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } }), acted: [] };
}

/** A tool that writes everything, and asks if its input says so. */
function actTool(acted: string[]) {
  return Tool.define('Act', {
    description: 'Acts.',
    input: z.object({ what: z.string(), mustAsk: z.boolean().optional() }),
    sideEffect: 'mutating',
    verdict: ({ mustAsk }) => (mustAsk === true ? { behavior: 'ask', reason: 'It says so.' } : undefined),
    execute: ({ what }) => {
      acted.push(what);
      return `did ${what}`;
    },
  });
}

/** A tool without conflicts. */
function noteTool(acted: string[]) {
  return Tool.define('Note', {
    description: 'Notes.',
    input: z.object({ what: z.string() }),
    sideEffect: 'network',
    execute: ({ what }) => {
      acted.push(`note ${what}`);
      return `noted ${what}`;
    },
  });
}

/** A hook that rewrites `rewrite-…` to `rewritten-…`, which asks. */
const hooks: ToolHooks = {
  PreToolUse: [
    {
      matcher: 'Act',
      hooks: [
        ({ input }) => {
          const { what } = input as { readonly what: string };
          return what.startsWith('rewrite-')
            ? { updatedInput: { what: `rewritten-${what}`, mustAsk: true }, additionalContext: 'rewritten' }
            : { additionalContext: 'seen' };
        },
      ],
    },
  ],
};

/** A toolkit as in each of several processes: the same options over the same stores. */
export function toolkitOf(
  { files, acted }: World,
  onAsk?: (callId: string) => AskAnswer,
  suspensions?: SuspensionStore,
): Toolkit {
  const toolkit = createToolkit({
    root: '/ws',
    hosts: { files, ...(suspensions && { suspensions }) },
    hooks,
    suspensionSecret,
    permissions: createPermissions({
      root: '/ws',
      allow: ['Act', 'Edit(a.txt)'],
      ask: ['Read(b.txt)'],
      deny: ['Edit(secret.txt)'],
      ...(onAsk && { onAsk: ({ callId }) => onAsk(callId) }),
    }),
  });
  toolkit.registry.register(actTool(acted), noteTool(acted));
  return toolkit;
}

/** The fields of a result that do not depend on time. */
export function outcome(result: ToolCallResult | undefined) {
  if (result === undefined) return undefined;
  const { callId, name, output, additionalContext } = result;
  return { callId, name, output, additionalContext, code: result.ok ? 'ok' : result.error.code };
}

/** The first letter of a text selects the kind of call. */
export type Move = (typeof moves)[number];

export const moves = [
  'read a',
  'read b',
  'write a',
  'write b',
  'write secret',
  'act',
  'act asked',
  'act rewritten',
  'note',
  'nonsense',
] as const;

export function callOf(move: Move, index: number): ToolCall {
  const id = `call_${index}`;
  const [verb, name = ''] = move.split(' ');
  const what = `${index}`;
  if (verb === 'read') return { id, name: 'Read', input: { file_path: `/ws/${name}.txt` } };
  if (verb === 'write') return { id, name: 'Write', input: { file_path: `/ws/${name}.txt`, content: `by ${index}\n` } };
  if (verb === 'note') return { id, name: 'Note', input: { what } };
  if (verb === 'nonsense') return { id, name: 'Act', input: { what: 5 } };
  if (name === 'rewritten') return { id, name: 'Act', input: { what: `rewrite-${what}` } };
  return { id, name: 'Act', input: { what, mustAsk: name === 'asked' } };
}
