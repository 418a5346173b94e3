import * as z from 'zod/v4/mini';
import type { CommandPaths } from '../../core/command-path-facts.js';
import { assessmentIn, type ToolContext } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { outputNumbers, shellNumbers } from '../../core/fixed-limits.js';
import type { Limits } from '../../core/limits.js';
import type { Risk } from '../../core/risk.js';
import { flag, inputObject, integer, optional, text } from '../../core/schema/fields.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { headOf } from '../../core/text/cut.js';
import { marksIn } from '../../core/text/redaction-marks.js';
import { Tool } from '../../core/tool.js';
import type { ToolMetadata, ToolResult } from '../../core/tool-result.js';
import type { Shell, ShellOutcome, ShellRequest } from '../../ports/shell.js';
import type { TaskManager } from '../../sessions/task-manager.js';
import { assessCommand, commandTarget, onlyReads } from '../../shell/assess/judge-command.js';
import { denialOf, type GuardVerdict, guardShell, type JudgedRequest } from '../../shell/run/guarded-shell.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { runOrMove, startInBackground } from './background-command.js';
import { describeOutcome, outcomeMetadata, stubbornLines } from './bash-result.js';
import { deadlineShell, type ShellDeadline, shellDeadline } from './deadline.js';

/** The assessment of a command before it runs. */
export interface BashAssessment extends GuardVerdict {
  readonly risk: Risk;
}

/** Assesses a command without running it. */
export type AssessBashCommand = (command: string) => BashAssessment;

/** The dependencies of Bash. */
export interface BashDependencies {
  readonly shell: Shell;
  /** Runs commands in the background; without it `run_in_background` is refused. */
  readonly tasks?: TaskManager | undefined;
  readonly limits: Pick<Limits, 'bash' | 'output'>;
  /**
   * Assesses a command; `deny` refuses it. By default, `assessCommand` does this, and the tool also guards the shell
   * with it.
   */
  readonly assess?: AssessBashCommand | undefined;
  /** Facts about the paths in a command, for permission rules and policies. */
  readonly paths?: CommandPaths | undefined;
  /** How long the tool waits for an answer of the shell. Default: from `limits.bash`. */
  readonly deadline?: ShellDeadline | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
  /** Whether a command continues in the background at its time limit instead of being ended. Default false. */
  readonly autoBackground?: boolean | undefined;
  /** Whether the model may run commands on a terminal and type into it with the tool `process`. Default false. */
  readonly interactive?: boolean | undefined;
  /** Whether the next command starts in the folder where the last one ended. Default false. */
  readonly keepsFolder?: boolean | undefined;
  /** The next step that the timeout error suggests. Default: a longer `timeout`, or the background. */
  readonly timeoutAdvice?: string | undefined;
  /** Whether results are scrubbed. If not, a redaction mark in a command is ordinary text. Default true. */
  readonly hidesSecrets?: boolean | undefined;
}

/** Runs a command line, in the foreground or as a task. */
export function bashTool(dependencies: BashDependencies): Tool<z.output<ReturnType<typeof inputOf>>> {
  const {
    shell: anyShell,
    tasks,
    limits,
    assess: given,
    paths,
    deadline = shellDeadline(limits.bash),
    timers = systemTimers,
    autoBackground = false,
    interactive = false,
    keepsFolder = false,
    hidesSecrets = true,
    timeoutAdvice = 'Give it a longer timeout, or run_in_background for a server or other long work.',
  } = dependenciesOf('bashTool', dependencies, 'shell', 'limits');
  const { bash, output } = limits;
  const assess: AssessBashCommand = given ?? assessCommand;
  /** The verdict of each command, by its target. Targets are plain data, so they cannot contain the verdict. */
  const verdicts = new WeakMap<object, GuardVerdict>();
  const verdictIn = (context: ToolContext) => verdicts.get(assessmentIn(context)?.targets?.[0] ?? {});
  const noticeOf = (command: string) => (hidesSecrets ? markNotice(command) : undefined);
  const shell = deadlineShell(given === undefined ? guardShell(anyShell, assess) : anyShell, deadline, timers);
  return Tool.define('Bash', {
    description:
      `Run a command in bash. Nothing can be typed in${interactive ? ' unless it is interactive' : ''}, and each call ` +
      'is a new shell. Set run_in_background for servers and other long work.',
    input: inputOf(bash, interactive),
    examples: [{ command: 'npm test' }],
    sideEffect: 'network',
    permissions: { required: ['execute'], optional: ['network'] },
    // Each command has a time limit of its own.
    timeoutMs: 0,
    // The lines about exit code and processes are added to the output.
    maxOutputChars: output.maxChars + shellNumbers.trailerChars,
    idempotent: false,
    literalFields: ['command'],
    advice: (offered) =>
      `Bash runs each command in a shell of its own${keepsFolder ? '; the working directory is kept' : ' that starts in the workspace'}. ` +
      (interactive ? 'Only interactive commands can ask for input.' : 'Commands cannot ask for input.') +
      (offered.has('TaskOutput')
        ? '\nStart long commands and servers with run_in_background and read them with TaskOutput.'
        : ''),
    assess: ({ command, interactive: isInteractive, dangerouslyDisableSandbox: isOutside }) => {
      const assessment = assess(command);
      const target = commandTarget(command, paths, assessment);
      verdicts.set(target, assessment);
      const denial = denialOf(assessment);
      const persistence = assessment.reasons.find(({ category }) => category === 'persistence');
      const reason = isOutside ? outside : (persistence?.text ?? noticeOf(command));
      return {
        title: `Bash${isInteractive ? ' in a terminal' : ''}${isOutside ? ' outside the sandbox' : ''}: ${command}`,
        preview: isOutside ? `${outside}\n${command}` : command,
        targets: [target],
        footprint: { reads: 'everything', writes: 'everything' },
        risk: assessment.risk,
        ...(denial !== undefined && { verdict: { behavior: 'deny', reason: denial } }),
        ...(denial === undefined && reason !== undefined && { verdict: { behavior: 'ask', reason } }),
      };
    },
    async execute(
      { command, timeout, description, run_in_background, interactive: isInteractive, dangerouslyDisableSandbox },
      context,
    ): Promise<ToolResult> {
      const title = description ?? `Bash: ${command}`;
      const notice = noticeOf(command);
      const noted = (result: ToolResult): ToolResult =>
        notice === undefined ? { ...result, title } : { ...result, title, output: `${result.output}\n[${notice}]` };
      const base: JudgedRequest = {
        command,
        isInteractive,
        withoutSandbox: dangerouslyDisableSandbox,
        judged: verdictIn(context),
      };
      if (run_in_background || isInteractive) {
        const request = { ...base, timeoutMs: timeout ?? bash.backgroundTimeoutMs };
        return noted(await startInBackground(shell, needed(tasks), request, context, timers));
      }
      const { listening, sendWhole } = bashProgress(context, bash.maxProgressChars);
      const waitMs = timeout ?? bash.timeoutMs;
      // A command without a time limit never moves to the background.
      const mover = autoBackground && waitMs > 0 ? tasks : undefined;
      const outcome =
        mover === undefined
          ? await shell.run({ ...base, timeoutMs: timeout, ...listening }, context)
          : await runOrMove(
              shell,
              mover,
              { ...base, timeoutMs: bash.backgroundTimeoutMs, ...listening },
              waitMs,
              context,
              timers,
            );
      if ('timedOut' in outcome) sendWhole(outcome.output);
      return noted('timedOut' in outcome ? foregroundResult(outcome, command, timeoutAdvice) : outcome);
    },
  });
}

const outside = 'The command asks to run outside the sandbox, directly on this machine.';

function inputOf(
  { maxCommandChars, timeoutMs, maxTimeoutMs, maxBackgroundTimeoutMs }: Limits['bash'],
  isInteractive: boolean,
) {
  const terminal = flag(
    'Run in the background on a terminal, for programs that ask for input; the tool process types into it',
  );
  const byDefault = timeoutMs === 0 ? 'no limit by default' : `default ${timeoutMs}`;
  const timeout = `Milliseconds until it is ended; ${byDefault}, at most ${maxTimeoutMs} in the foreground`;
  return inputObject({
    command: text('Command line for bash', { minLength: 1, maxLength: maxCommandChars }),
    timeout: optional(integer(timeout, { minimum: 1, maximum: maxBackgroundTimeoutMs })),
    description: optional(text('What the command does, in five to ten words')),
    run_in_background: optional(flag('Answer at once with a task id')),
    dangerouslyDisableSandbox: optional(flag('Run outside the sandbox, where that is permitted')),
    ...((isInteractive ? { interactive: optional(terminal) } : {}) as {
      interactive: z.ZodMiniOptional<typeof terminal>;
    }),
  }).check(
    z.refine(({ command }) => command.trim() !== '', { path: ['command'], error: 'must not be blank' }),
    z.refine(
      ({ timeout = 0, run_in_background, interactive }) =>
        run_in_background === true || interactive === true || timeout <= maxTimeoutMs,
      {
        path: ['timeout'],
        error: `must be at most ${maxTimeoutMs} in the foreground; use run_in_background for longer work`,
      },
    ),
  );
}

function needed(tasks: TaskManager | undefined): TaskManager {
  if (tasks !== undefined) return tasks;
  throw new ToolError(
    'not_configured',
    'Commands cannot run in the background here: bashTool was made without tasks. Run it in the foreground.',
  );
}

function foregroundResult(outcome: ShellOutcome, command: string, timeoutAdvice: string): ToolResult {
  if (!outcome.timedOut) return { output: describeOutcome(outcome, command), metadata: outcomeMetadata(outcome) };
  const limit = outcome.timeLimitMs === undefined ? ' at its time limit' : ` after ${outcome.timeLimitMs} ms`;
  const rest = stubbornLines(outcome.survivors).map((line) => ` ${line}.`);
  throw new ToolError('timeout', `The command was ended${limit}.${rest} ${timeoutAdvice}`, {
    partialOutput: outcome.output,
    metadata: outcomeMetadata(outcome),
  });
}

const maxMarkChars = 40;

/** The note about a redaction mark in a command that may write: the mark would replace the secret. */
function markNotice(command: string): string | undefined {
  const [mark] = marksIn(command);
  if (mark === undefined || onlyReads(command)) return undefined;
  return (
    `The command contains ${mark.slice(0, maxMarkChars)}, which stands for a secret that was hidden when text was ` +
    'shown. The shell takes the mark literally: a file written with it contains the mark, and the secret is lost. ' +
    'Change the other lines with Edit, or copy the line with the secret from the file that contains it.'
  );
}

/** The `metadata` of each `tool-progress` event of a command in the foreground. */
export interface BashProgress extends ToolMetadata {
  /** The new complete lines, scrubbed; may be empty. If the result is not cut, the joined chunks equal its output. */
  readonly chunk: string;
  /** The number of characters in all chunks before this one. */
  readonly offset: number;
  /** The last `limits.bash.maxProgressChars` characters of the output so far, including an unfinished line. */
  readonly tail: string;
}

/** Sends the output as it arrives. `sendWhole` sends all of it at the end if the shell reported only tails. */
function bashProgress(context: ToolContext, maxTailChars: number) {
  let offset = 0;
  let isChunked = context.hasListener === false;
  const onOutput = (tail: string, chunk?: string) => {
    isChunked ||= chunk !== undefined;
    let rest = chunk ?? '';
    do {
      const progress = { chunk: headOf(rest, outputNumbers.maxChunkChars), offset, tail } satisfies BashProgress;
      context.metadata({ metadata: progress });
      offset += progress.chunk.length;
      rest = rest.slice(progress.chunk.length);
    } while (rest !== '');
  };
  return {
    listening: { onOutput, wantsChunks: !isChunked } satisfies Partial<ShellRequest>,
    sendWhole: (output: string) => {
      if (!isChunked && output !== '') onOutput(output.slice(-maxTailChars), output);
    },
  };
}
