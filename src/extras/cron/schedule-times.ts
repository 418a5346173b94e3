import { Cron } from 'croner';
import { ToolError } from '../../core/error.js';
import { didYouMean } from '../../core/support/near-names.js';

/** The times of a job, in milliseconds since 1970. */
export interface ScheduleTimes {
  /** Whether the job is due only once. */
  readonly isOnce: boolean;
  /** The first time after the given time; undefined if no time is left. */
  next(after: number): number | undefined;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const longestMs = 366 * 86_400_000;
const isoTime = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i;
const zoneName = /^(?:UTC|GMT|[A-Za-z_]+(?:\/[A-Za-z_][\w+-]*)+)$/;

/**
 * Parses a schedule: five cron fields, `every 10m` (counted from `since`), or an ISO time. A time zone at the end of
 * the text overrides `timeZone`. When the clocks change, a skipped time is due right after the gap, and a time that
 * occurs twice is due once. This does not apply to cron schedules whose minute field or hour field contains `*` or a
 * step. Throws `invalid_input` for an invalid schedule.
 */
export function scheduleTimes(text: string, timeZone: string, since = 0): ScheduleTimes {
  const words = text.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  const zone = words.length > 1 && zoneName.test(last) ? words.pop() : undefined;
  if (zone !== undefined) assertTimeZone(zone);
  if (/^every$/i.test(words[0] ?? '')) {
    if (zone !== undefined) throw mistake('expected no time zone after "every"');
    return every(words.slice(1).join(''), since);
  }
  if (words.length === 1 && isoTime.test(words[0] ?? '')) return once(words[0] ?? '', zone ?? timeZone);
  if (words.length !== 5)
    throw mistake('expected five fields such as 0 9 * * 1-5, every 10m, or a time such as 2030-05-01T09:00');
  // Croner replaces ? by the current time.
  if (words.some((field) => field.includes('?'))) throw mistake('expected no ? in a field; write *');
  return repeated(words.join(' '), zone ?? timeZone);
}

/** Throws `invalid_input` with similar names for an unknown time zone. */
export function assertTimeZone(name: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    throw mistake(`there is no time zone ${name}`, didYouMean(name, Intl.supportedValuesOf('timeZone')));
  }
}

function every(amount: string, since: number): ScheduleTimes {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/i.exec(amount) ?? [];
  const stepMs = Number(count) * (units[unit.toLowerCase()] ?? Number.NaN);
  if (!(stepMs > 0 && stepMs <= longestMs))
    throw mistake('expected a time of one minute to 366 days after "every", such as every 10m, every 2h or every 1d');
  return { isOnce: false, next: (after) => since + (Math.floor((after - since) / stepMs) + 1) * stepMs };
}

function once(text: string, timeZone: string): ScheduleTimes {
  const [, day = '', offset] = isoTime.exec(text) ?? [];
  // Otherwise February 30 would become a day in March.
  const isDay = Date.parse(`${day}T00:00Z`) >= 0 && new Date(`${day}T00:00Z`).toISOString().startsWith(day);
  const time = offset === undefined ? localTime(text, timeZone) : Date.parse(text);
  if (!isDay || time === undefined || Number.isNaN(time)) throw mistake(`there is no time ${text}`);
  return { isOnce: true, next: (after) => (time > after ? time : undefined) };
}

function localTime(text: string, timeZone: string): number | undefined {
  const asUtc = new Date(`${text}Z`);
  if (Number.isNaN(asUtc.getTime())) return undefined;
  const [year, month, day, hour, minute, second] = asUtc.toISOString().split(/[-T:.]/);
  // Written as cron fields, so that daylight-saving changes have the same effect as for repeated jobs.
  return repeated([second, minute, hour, day, month, '*', year].join(' '), timeZone, '7-part').next(0);
}

function repeated(fields: string, timeZone: string, mode: '5-part' | '7-part' = '5-part'): ScheduleTimes {
  try {
    const cron = new Cron(fields, { timezone: timeZone, mode, fixedTimeRule: 'no-wildcard' });
    return { isOnce: false, next: (after) => cron.nextRun(new Date(after))?.getTime() };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^CronPattern: /, '') : String(cause);
    throw mistake(reason.charAt(0).toLowerCase() + reason.slice(1));
  }
}

function mistake(what: string, hint = ''): ToolError {
  return new ToolError('invalid_input', `schedule: ${what}.${hint}`);
}
