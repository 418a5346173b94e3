import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPermissions, createToolkit, Tool, type Toolkit } from 'toolwright';
import type { SuspensionStore } from 'toolwright/core';
import { fileSuspensions } from 'toolwright/guards';
import { z } from 'zod';

/** Called before and after each effect of a resume outside the process. */
export type Step = () => void;

/** A toolkit that several processes make in the same way. Its tool appends one line to a file for each run. */
export function appendingToolkit(
  root: string,
  step: Step = () => {},
  store: SuspensionStore = fileSuspensions(join(root, '.suspensions')),
): Toolkit {
  const toolkit = createToolkit({
    root,
    suspensionSecret: 'a secret of at least thirty-two characters',
    hosts: { suspensions: stepping(store, step) },
    permissions: createPermissions({ root, allow: ['Look(free)'] }),
  });
  const tool = (name: string, sideEffect: 'mutating' | 'readonly') =>
    Tool.define(name, {
      description: 'Leaves a line.',
      input: z.object({ line: z.string() }),
      sideEffect,
      footprint: ({ line }) => ({ reads: [line], writes: sideEffect === 'readonly' ? [] : [line] }),
      risk: () => 'medium',
      execute: ({ line }) => {
        step();
        appendFileSync(join(root, 'lines'), `${line}\n`);
        step();
        return `left ${line}`;
      },
    });
  toolkit.registry.register(tool('Append', 'mutating'), tool('Look', 'readonly'));
  return toolkit;
}

function stepping(store: SuspensionStore, step: Step): SuspensionStore {
  return {
    claim: async (id, callId, scope) => {
      step();
      const claimed = await store.claim(id, callId, scope);
      step();
      return claimed;
    },
    settle: async (id, callId, settled, scope) => {
      step();
      await store.settle(id, callId, settled, scope);
      step();
    },
  };
}
