import type { output } from 'zod/v4/core';
import { inputObject } from '../../core/schema/fields.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import { listOf } from '../shell/bash-result.js';
import { dependenciesOf } from '../support/factory-arguments.js';

const input = lazily(() => inputObject({}));

/** The dependencies of RestartShell. */
export interface RestartShellDependencies {
  /** Ends the processes that the commands of a session left running, and returns them. */
  readonly endSession: (sessionId: string) => Promise<readonly { readonly pid: number; readonly command: string }[]>;
}

/** Ends the processes that a session left running: `restart` of Anthropic's native bash tool. */
export function restartShellTool(dependencies: RestartShellDependencies): Tool<output<ReturnType<typeof input>>> {
  const { endSession } = dependenciesOf('restartShellTool', dependencies, 'endSession');
  return Tool.define('RestartShell', {
    description: 'End everything that commands of this session left running; the next command starts in the root.',
    input: input(),
    // The tool ends only processes that this session started.
    sideEffect: 'none',
    // No other call of the session may run meanwhile.
    footprint: () => ({ reads: 'everything', writes: 'everything' }),
    title: () => 'Restart the shell',
    async execute(_input, { caller }) {
      const ended = await endSession(caller.sessionId);
      return {
        output: `The shell was restarted.${ended.length === 0 ? '' : ` Ended: ${listOf(ended)}`}`,
        metadata: { ended: ended.length },
      };
    },
  });
}
