import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Answers,
  createPermissions,
  createToolkit,
  type PermissionQuestion,
  type SuspendedRun,
  type ToolCall,
  type Toolkit,
  type ToolRun,
} from 'toolwright';
import type { SuspensionStore } from 'toolwright/core';
import { fileSuspensions } from 'toolwright/guards';

/** Answers to the calls of a turn, by call id. */
export type Said = Readonly<Record<string, 'allow-once' | 'deny' | { readonly rewriteTo: string }>>;

/** The content of a request file for a process that resumes. */
export interface ResumeRequest {
  readonly suspension: string;
  readonly answers: Answers;
  /** The number of the resumed call that aborts the resume, after the previous ones have ended; 0 for no abort. */
  readonly abortAt: number;
}

/** The result of a process that resumed: a run without fields that differ between runs. */
export interface Resumed {
  readonly suspension?: string;
  readonly questions?: readonly PermissionQuestion[];
  readonly outcomes: readonly unknown[];
}

export function newWorkspace(root: string): string {
  mkdirSync(root);
  for (const name of ['a', 'b']) writeFileSync(join(root, `${name}.txt`), `${name}\n`);
  return root;
}

/** The contents of the files of a workspace. */
export function treeOf(root: string): readonly (readonly [string, string])[] {
  return readdirSync(root)
    .sort()
    .map((name) => [name, readFileSync(join(root, name), 'utf8')] as const);
}

/** A toolkit over a folder, made in the same way by each process. A hook rewrites writes to `hooked.txt`. */
export function diskToolkit(root: string, suspensions: SuspensionStore, said?: Said): Toolkit {
  return createToolkit({
    root,
    suspensionSecret: 'a secret of at least thirty-two characters',
    hosts: { suspensions },
    hooks: {
      PreToolUse: [
        {
          matcher: 'Write',
          hooks: [
            ({ input }) => {
              const { file_path, content } = input as { readonly file_path: string; readonly content: string };
              if (!file_path.endsWith('hooked.txt') || content.startsWith('hook: ')) return undefined;
              return { updatedInput: { file_path, content: `hook: ${content}` }, additionalContext: 'rewritten' };
            },
          ],
        },
      ],
    },
    permissions: createPermissions({
      root,
      allow: ['Edit(a.txt)', 'Bash(cat *)'],
      ask: ['Read(b.txt)'],
      deny: ['Edit(secret.txt)'],
      ...(said && { onAsk: ({ callId, input }) => answerFor(said, callId, input) }),
    }),
  });
}

export function storeBeside(root: string): SuspensionStore {
  return fileSuspensions(`${root}.turns`);
}

export function answersFor(questions: readonly PermissionQuestion[], said: Said, calls: readonly ToolCall[]): Answers {
  const inputOf = (callId: string) => calls.find(({ id }) => id === callId)?.input;
  return Object.fromEntries(questions.map(({ id, callId }) => [id, answerFor(said, callId, inputOf(callId))]));
}

function answerFor(said: Said, callId: string, input: unknown) {
  const answer = said[callId] ?? 'deny';
  if (typeof answer === 'string') return answer;
  return { behavior: 'allow' as const, updatedInput: { ...(input as object), content: answer.rewriteTo } };
}

export function resumed(run: ToolRun | SuspendedRun, root: string): Resumed {
  const outcomes = run.results.map((result) =>
    result === undefined
      ? 'waits'
      : [
          result.callId,
          result.name,
          result.output.replaceAll(root, '<root>'),
          result.additionalContext ?? null,
          result.ok ? 'ok' : result.error.code,
        ],
  );
  if (run.status === 'done') return { outcomes };
  const { suspension, questions } = run;
  return { suspension, questions, outcomes };
}
