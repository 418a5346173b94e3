import type { output } from 'zod/v4/core';
import type { CallScope } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import { actionInput } from '../../core/schema/action-input.js';
import { withRule, words } from '../../core/schema/fields.js';
import { assertMethods } from '../../core/support/check-values.js';
import { didYouMean } from '../../core/support/near-names.js';
import { lazily } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { askHost } from '../../ports/ask-host.js';
import type { JobBook, JobRun, Schedule, ScheduledJob } from './schedule.js';
import { scheduleTimes } from './schedule-times.js';

const scheduleIs =
  'Five fields of cron (0 9 * * 1-5), every 10m, or an ISO time; a time zone may follow, as in 0 9 * * * Europe/Berlin';
const input = lazily(() =>
  actionInput(
    {
      add: { needs: ['schedule', 'prompt'], takes: ['name', 'session'] },
      list: { takes: ['id'] },
      remove: { needs: ['id'] },
      run: { needs: ['id'] },
      enable: { needs: ['id'] },
      disable: { needs: ['id'] },
    },
    {
      id: words(100, 'Id of a job, as list shows it'),
      name: words(100, 'What the job is for, in a few words'),
      schedule: withRule(
        words(100, scheduleIs),
        (text) => scheduleMistake(text) === undefined,
        (text) => scheduleMistake(text) ?? '',
      ),
      prompt: words(10_000, 'What to do. The agent that gets the prompt does not know this conversation'),
      session: words(200, 'Session that gets the prompt. Default: your own'),
    },
  ),
);
type CronInput = output<ReturnType<typeof input>>;

const port = { port: 'the schedule', timeoutMs: 30_000 };
const maxNameChars = 60;

/**
 * The tool `cron`: manages the scheduled jobs of the caller. A job is a prompt that an agent gets at certain times. A
 * call asks for permission unless a rule such as `cron` allows it. A prompt for another session always needs
 * permission. Callers with a `depth` above 0 are refused. Credentials in names and prompts are removed. Throws a
 * TypeError for an invalid schedule.
 */
export function cronTool(schedule: Schedule): Tool<CronInput> {
  const write = 'cronTool(fileSchedule(path, { onDue }))';
  assertMethods('cronTool takes a schedule', schedule, ['add', 'list', 'remove', 'run', 'setEnabled'], write);
  const ask = <Answer>(scope: CallScope, request: (inner: CallScope) => Promise<Answer> | Answer) =>
    askHost(port, scope, request);
  const listed = (scope: CallScope) => askHost({ ...port, isUsable: isBook }, scope, (inner) => schedule.list(inner));
  /** Returns the answer of `act` for a job. Throws `task_not_found` if there is no such job. */
  const onJob = async <Answer>(
    id: string,
    scope: CallScope,
    act: (inner: CallScope) => Promise<Answer | undefined | false> | Answer | undefined | false,
  ) => {
    const answer = await ask(scope, act);
    if (answer !== undefined && answer !== false) return answer;
    const known = (await listed(scope)).jobs.map((job) => job.id);
    const what = `There is no job ${JSON.stringify(id)}.${didYouMean(id, known)}`;
    throw new ToolError('task_not_found', `${what} Look at the list.`);
  };
  return Tool.define('cron', {
    description: 'Manage scheduled jobs: prompts that an agent gets at certain times.',
    input: input(),
    examples: [{ action: 'add', name: 'morning report', schedule: '0 9 * * 1-5', prompt: 'Sum up the open issues.' }],
    sideEffect: 'mutating',
    groups: ['automation'],
    title: titleOf,
    preview: (given) => (given.action === 'add' ? previewOf(given) : titleOf(given)),
    risk: ({ action }) => (action === 'list' ? 'low' : action === 'disable' || action === 'remove' ? 'medium' : 'high'),
    footprint: ({ action }) => ({ reads: ['jobs'], writes: action === 'list' ? 'nothing' : ['jobs'] }),
    verdict: (given, { caller }) => {
      if ((caller.depth ?? 0) > 0)
        return { behavior: 'deny', reason: 'only the main agent may schedule jobs. Ask the main agent to do it' };
      return given.action === 'add' && (given.session ?? caller.sessionId) !== caller.sessionId
        ? { behavior: 'ask', reason: 'it sends a prompt to another session' }
        : undefined;
    },
    async execute(given, context): Promise<ToolResult> {
      if (given.action === 'add') {
        const { sessionId } = context.caller;
        const { scrubCredentials } = await import('../../secrets/scrubber.js');
        const prompt = scrubCredentials(given.prompt);
        const name = scrubCredentials(given.name ?? prompt).replace(/\s+/g, ' ');
        const { schedule: times, session = sessionId } = given;
        const asked = { name: name.slice(0, maxNameChars), schedule: times, prompt, session };
        const job = await ask(context, (scope) => schedule.add(asked, scope));
        return { output: `Scheduled: ${lineOf(job)}`, metadata: { id: job.id, nextAt: job.nextAt } };
      }
      const { action, id } = given;
      switch (action) {
        case 'list': {
          const book = await listed(context);
          if (id === undefined) return bookResult(book);
          return jobResult(await onJob(id, context, () => book.jobs.find((job) => job.id === id)), book.runs);
        }
        case 'remove':
          await onJob(id, context, (scope) => schedule.remove(id, scope));
          return { output: `The job ${id} is removed`, metadata: { id } };
        case 'run': {
          const job = await onJob(id, context, (scope) => schedule.run(id, scope));
          return { output: `${job.name} has begun; list shows its result`, metadata: { id } };
        }
        case 'enable':
        case 'disable': {
          const job = await onJob(id, context, (scope) => schedule.setEnabled(id, action === 'enable', scope));
          return { output: lineOf(job), metadata: { id, nextAt: job.nextAt } };
        }
      }
    },
  });
}

function scheduleMistake(text: string): string | undefined {
  try {
    scheduleTimes(text, 'UTC');
    return undefined;
  } catch (thrown) {
    return ToolError.from(thrown).message.replace(/^schedule: |\.$/g, '');
  }
}

function titleOf(given: CronInput): string {
  if (given.action === 'add') return `Schedule ${given.schedule}: ${given.name ?? given.prompt}`;
  if (given.action === 'list') return 'List the scheduled jobs';
  return `${given.action} the scheduled job ${given.id}`;
}

function previewOf({ schedule, session, prompt }: Extract<CronInput, { readonly action: 'add' }>): string {
  return [`When: ${schedule}`, `Session: ${session ?? 'its own'}`, prompt].join('\n');
}

function bookResult({ jobs, runs }: JobBook): ToolResult {
  const lines = jobs.length === 0 ? ['There are no scheduled jobs'] : jobs.map(lineOf);
  return { output: withRuns(lines, runs), metadata: { jobs: jobs.length } };
}

function jobResult(job: ScheduledJob, runs: readonly JobRun[]): ToolResult {
  const own = runs.filter(({ jobId }) => jobId === job.id);
  return { output: withRuns([lineOf(job), '', job.prompt], own), metadata: { id: job.id, nextAt: job.nextAt } };
}

function withRuns(lines: readonly string[], runs: readonly JobRun[]): string {
  return [...lines, ...(runs.length === 0 ? [] : ['', 'Last runs:', ...runs.map(runLine)])].join('\n');
}

function lineOf({ id, name, schedule, timeZone, session, isEnabled, nextAt, running, failures }: ScheduledJob): string {
  const state = [
    isEnabled ? nextAt && `next ${nextAt}` : 'disabled',
    running && `running since ${running.since}`,
    failures > 0 && `failures in a row: ${failures}`,
  ];
  return [`${id} ${JSON.stringify(name)}: ${schedule} (${timeZone}) for the session ${session}`, ...state]
    .filter(Boolean)
    .join(', ');
}

function runLine({ at, name, state, durationMs, error }: JobRun): string {
  return `${at} ${JSON.stringify(name)}: ${state} after ${durationMs} ms${error === undefined ? '' : `: ${error}`}`;
}

function isBook({ jobs, runs }: JobBook): boolean {
  return Array.isArray(jobs) && Array.isArray(runs);
}
