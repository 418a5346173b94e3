import { shellNumbers } from '../../core/fixed-limits.js';
import type { Toolkit } from '../../core/registry/toolkit.js';
import type { ProcessSignal, StoppedProcess, ToolkitProcess } from '../../core/registry/toolkit-processes.js';
import { actionInput } from '../../core/schema/action-input.js';
import { choice, flag, integer, text } from '../../core/schema/fields.js';
import { assertMethods } from '../../core/support/check-values.js';
import { escapeLine } from '../../core/text/escape-for-people.js';
import { Tool } from '../../core/tool.js';
import { commandTarget } from '../../shell/assess/judge-command.js';
import { denialOf } from '../../shell/run/guarded-shell.js';
import { stubbornLines } from '../../tools/shell/bash-result.js';
import { taskResult } from '../../tools/shell/task-tools.js';
import { resourcesOf } from '../../tools/toolkit-resources.js';
import { sessionProcesses } from './session-processes.js';

const maxLineChars = 200;
const maxTypedChars = 10_000;

/**
 * The tool `process`: tasks and leftover processes of the caller's session. Throws a TypeError for an invalid toolkit.
 */
export function processTools(toolkit: Toolkit): readonly Tool[] {
  assertMethods('processTools takes a toolkit', toolkit, ['call', 'leftCommands'], 'processTools(toolkit)');
  const { assess, paths } = resourcesOf('processTools', toolkit);
  const { limits } = toolkit;
  const processes = sessionProcesses(toolkit);
  const { waitMs, maxWaitMs } = limits.tasks;
  const tool = Tool.define('process', {
    description:
      'Manage your background tasks, and the processes that your commands left running. Read new output, type into an ' +
      'interactive task, send a signal, or stop a task with all processes that it started.',
    input: actionInput(
      {
        list: {},
        output: { needs: ['id'], takes: ['block', 'timeout'] },
        write: { needs: ['id', 'text'] },
        signal: { needs: ['id', 'signal'] },
        stop: { needs: ['id'] },
      },
      {
        id: text('Task id or process number, as the action list shows it', { minLength: 1 }),
        text: text('What to type: \\n is Enter, \\t Tab, \\x03 Ctrl-C, \\x04 Ctrl-D, \\x1b Escape, \\\\ a backslash', {
          ...{ minLength: 1, maxLength: maxTypedChars },
        }),
        signal: choice(['TERM', 'INT', 'KILL', 'HUP']),
        block: flag('Wait for the end; default true'),
        timeout: integer(`Milliseconds to wait at most; default ${waitMs}`, { minimum: 0, maximum: maxWaitMs }),
      },
    ),
    examples: [{ action: 'list' }],
    sideEffect: 'blocking',
    groups: ['runtime'],
    traits: { awaits: true },
    // The field `timeout` limits the call instead.
    timeoutMs: 0,
    maxOutputChars: limits.output.maxChars + shellNumbers.statusChars,
    assess: (given) => {
      const title = `process ${given.action}${given.action === 'list' ? '' : ` ${given.id}`}`;
      // All actions except `write` reach only tasks and processes of the session, so they need no permission.
      if (given.action !== 'write') return { title, risk: 'none', footprint: { reads: 'nothing', writes: 'nothing' } };
      // A shell would run the text, so the text is assessed as a command. The risk is high, because the program that
      // reads the text can be any program.
      const command = typedText(given.text).replaceAll('\r', '\n');
      const assessment = assess(command);
      const denial = denialOf(assessment);
      return {
        title: `Type into ${given.id}: ${given.text}`,
        preview: given.text,
        targets: [commandTarget(command, paths, assessment)],
        ...(denial !== undefined && { verdict: { behavior: 'deny', reason: denial } }),
        footprint: { reads: 'everything', writes: 'everything' },
        risk: 'high',
      };
    },
    async execute(given, context) {
      switch (given.action) {
        case 'list': {
          const listed = processes.list(context.caller);
          return listed.length === 0 ? 'Nothing is running' : listed.map(lineOf).join('\n');
        }
        case 'output': {
          const { id, block = true, timeout = waitMs } = given;
          return taskResult(await processes.read(id, block ? timeout : 0, context), limits.output.maxChars);
        }
        case 'write': {
          processes.type(given.id, typedText(given.text), context.caller);
          return taskResult(await processes.read(given.id, shellNumbers.typedMs, context), limits.output.maxChars);
        }
        case 'signal': {
          const signal: ProcessSignal = `SIG${given.signal}`;
          processes.signal(given.id, signal, context.caller);
          return `Sent ${signal} to ${given.id}`;
        }
        case 'stop':
          return stopped(await processes.stop(given.id, context.caller));
      }
    },
  });
  return [tool];
}

function lineOf({ taskId, label, state, exitCode, signal, outputFile }: ToolkitProcess): string {
  const code = exitCode === undefined || exitCode === 0 ? '' : ` with exit code ${exitCode}`;
  const end = signal === undefined ? code : ` by ${signal}`;
  const output = outputFile === undefined ? '' : `; output in ${outputFile}`;
  return `${taskId} ${state}${end}: ${escapeLine(label, maxLineChars)}${output}`;
}

function stopped({ taskId, state, wasRunning, survivors }: StoppedProcess) {
  const said = wasRunning ? `Stopped: ${taskId}` : `${taskId} was not running any more: ${state}`;
  return { output: [said, ...stubbornLines(survivors)].join('\n'), metadata: { taskId, state, survivors } };
}

const escapes: Readonly<Record<string, string>> = { n: '\r', r: '\r', t: '\t', e: '\u001b', '\\': '\\' };

/** Converts a text to the characters to type: resolves backslash escapes; a line break becomes a carriage return. */
export function typedText(text: string): string {
  return text
    .replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([nrte\\]))/g, (_, byte, unit, letter) =>
      letter === undefined ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : (escapes[letter] ?? ''),
    )
    .replaceAll(/\r?\n/g, '\r');
}
