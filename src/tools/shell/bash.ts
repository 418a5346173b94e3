import * as z from 'zod/v4/mini';
import { ToolError } from '../../core/error.js';
import type { Limits } from '../../core/limits.js';
import { shellNumbers } from '../../core/numbers.js';
import type { Risk } from '../../core/risk.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import { type CommandPaths, Tool, type ToolResult } from '../../core/tool.js';
import type { Shell, ShellOutcome } from '../../ports/shell.js';
import { marksIn } from '../../secrets/redaction-marks.js';
import type { TaskManager } from '../../sessions/tasks/tasks.js';
import { assessCommand, commandTarget } from '../../shell/assess/assess-command.js';
import { deadlineShell, type ShellDeadline, shellDeadline } from '../../shell/run/deadline-shell.js';
import { denialOf, type GuardVerdict, guardShell } from '../../shell/run/guarded-shell.js';
import { dependenciesOf } from '../support/dependencies.js';
import { flag, inputObject, integer, optional, text } from '../support/input-object.js';
import { runOrMove, startInBackground } from './background-command.js';
import { bashProgress } from './bash-progress.js';
import { describeOutcome, outcomeMetadata } from './bash-result.js';

/** What is thought of a command before it runs. */
export interface BashAssessment extends GuardVerdict {
  readonly risk: Risk;
}

/** Judges a command without running it. */
export type AssessBashCommand = (command: string) => BashAssessment;

/** What Bash can reach. */
export interface BashDependencies {
  readonly shell: Shell;
  /** Takes commands that run in the background; without it none can. */
  readonly tasks?: TaskManager | undefined;
  readonly limits: Pick<Limits, 'bash' | 'output'>;
  /**
   * Judges a command: `deny` is refused before anybody is asked. Default: `assessCommand`, which the shell is guarded
   * by as well.
   */
  readonly assess?: AssessBashCommand | undefined;
  /** What is known of the paths that commands name, for whoever decides about a call. */
  readonly paths?: CommandPaths | undefined;
  /** How long the shell is waited for, whatever it does. Default: the limits of commands on this machine. */
  readonly deadline?: ShellDeadline | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
  /** At the time limit a command goes on in the background instead of being ended. Default false. */
  readonly autoBackground?: boolean | undefined;
  /** Whether commands may have a terminal that is typed into with the tool `process`. Default false. */
  readonly interactive?: boolean | undefined;
  /** Whether the folder that a command ends in is where the next one begins. Default false. */
  readonly keepsFolder?: boolean | undefined;
  /**
   * What the model may do about a command that was ended at its time limit. Default: another `timeout`, or the
   * background.
   */
  readonly timeoutAdvice?: string | undefined;
  /** False where nothing is scrubbed, so that a redaction mark in a command stands for nothing. Default true. */
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
    // The lines behind the output come on top of it.
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
      const denial = denialOf(assessment);
      const reason = isOutside ? outside : (persistenceReason(assessment) ?? noticeOf(command));
      return {
        title: `Bash${isInteractive ? ' in a terminal' : ''}${isOutside ? ' outside the sandbox' : ''}: ${command}`,
        preview: isOutside ? `${outside}\n${command}` : command,
        targets: [commandTarget(command, paths)],
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
      const base = { command, isInteractive, withoutSandbox: dangerouslyDisableSandbox };
      if (run_in_background || isInteractive) {
        const request = { ...base, timeoutMs: timeout ?? bash.backgroundTimeoutMs };
        return noted(await startInBackground(shell, needed(tasks), request, context, timers));
      }
      const { listening, sendWhole } = bashProgress(context, bash.maxProgressChars);
      const mover = autoBackground ? tasks : undefined;
      const outcome =
        mover === undefined
          ? await shell.run({ ...base, timeoutMs: timeout, ...listening }, context)
          : await runOrMove(
              shell,
              mover,
              { ...base, timeoutMs: bash.backgroundTimeoutMs, ...listening },
              timeout ?? bash.timeoutMs,
              context,
              timers,
            );
      if ('timedOut' in outcome) sendWhole(outcome.output);
      return noted('timedOut' in outcome ? foregroundResult(outcome, command, timeoutAdvice) : outcome);
    },
  });
}

const outside = 'It asks to run outside the sandbox, on this machine itself.';

/** Why what a command writes would be run later, by a shell, a login or git. */
function persistenceReason({ reasons }: GuardVerdict): string | undefined {
  return reasons.find(({ category }) => category === 'persistence')?.text;
}

function inputOf(
  { maxCommandChars, timeoutMs, maxTimeoutMs, maxBackgroundTimeoutMs }: Limits['bash'],
  isInteractive: boolean,
) {
  const terminal = flag('Run it in the background on a terminal, for programs that ask: type with process write');
  const timeout = `Milliseconds until it is ended; default ${timeoutMs}, at most ${maxTimeoutMs} in the foreground`;
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
    z.refine(({ command }) => command.trim() !== '', { path: ['command'], error: 'must hold more than blanks' }),
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
  const rest = outcome.survivors
    .map(({ pid, command }) => ` Still running, because it cannot be ended: ${pid} (${command}).`)
    .join('');
  throw new ToolError('timeout', `The command was ended${limit}.${rest} ${timeoutAdvice}`, {
    partialOutput: outcome.output,
    metadata: outcomeMetadata(outcome),
  });
}

const maxMarkChars = 40;
const anyFolder = { holdsNoSecrets: () => true, isOwnRepository: () => true };
/** With these a command is proven to only read, wherever that is: the first also after `cd`, the second anywhere. */
const readings = [anyFolder, { ...anyFolder, isInside: () => true }];

/**
 * What is to be known of a redaction mark in a command that may write, wherever it does: the mark is text there, and
 * would take the place of the secret. Undefined where no mark stands in it, or it only reads.
 */
function markNotice(command: string): string | undefined {
  const [mark] = marksIn(command);
  if (mark === undefined || readings.some((known) => assessCommand(command, known).verdict === 'allow'))
    return undefined;
  return (
    `The command holds ${mark.slice(0, maxMarkChars)}, which stands for a secret that was hidden when text was ` +
    'shown. In a command it is text: a file written with it holds the mark, and the secret is lost. Change the other lines with Edit, or copy ' +
    'the line of the secret from the file that holds it.'
  );
}
