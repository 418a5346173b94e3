import { didYouMean } from './near-names.js';

/** Every number of the library, by who uses it. Durations in milliseconds, sizes in bytes or characters, counts begin with `max`. */
export const defaultLimits = Object.freeze({
  call: Object.freeze({
    /** Half an hour: longer than any sane tool call, so that no run hangs for ever. 0 = none. */
    timeoutMs: 1_800_000,
    /** How long a tool that listens to its signal may clean up after it; longer than the shell needs from TERM to KILL. */
    abortGraceMs: 3_000,
    /** A hook that has not answered by then has failed. */
    hookTimeoutMs: 60_000,
    /** A rate limiter that has not answered by then has refused. */
    limiterTimeoutMs: 10_000,
    /** Calls of one run that work at the same time, where their footprints allow it. */
    maxConcurrent: 10,
    /** JSON text of one input; the largest file content a model can send is far below. */
    maxInputChars: 16_000_000,
    /** Nesting of one input; deeper is an attack or an accident. */
    maxInputDepth: 64,
    /** How often permission and hooks may rewrite one input before the call is refused. */
    maxRewrites: 3,
    /** Result texts pass the scrubber and the provider; metadata past this is dropped with a note. */
    maxMetadataChars: 200_000,
  }),
  approval: Object.freeze({
    /** A person has two minutes; then the call is denied. 0 = waits for ever. */
    timeoutMs: 120_000,
    /** Characters of a title in a prompt; the preview holds the rest. */
    maxTitleChars: 200,
  }),
  resolver: Object.freeze({
    /** Loading a tool by name, or making one that is made on first use, may start a server, not more. */
    timeoutMs: 10_000,
    /** A file with the description of a tool, which every request carries. */
    maxDescriptionBytes: 16_000,
  }),
  output: Object.freeze({
    /** Every character is sent again with each later request; 30,000 is about 8,000 tokens. */
    maxChars: 30_000,
  }),
  read: Object.freeze({
    /** Lines of one page when no limit is given. */
    maxLines: 2_000,
    /** Longer lines are cut and read on by column. */
    maxLineChars: 2_000,
    /** One page, whatever its lines; about 25,000 tokens. */
    maxChars: 100_000,
    /** Up to here the whole content is hashed to notice changes; beyond, identity, times and shown pages. */
    hashMaxBytes: 8_000_000,
  }),
  write: Object.freeze({
    /** The largest file that Edit takes into memory. */
    maxFileBytes: 512_000_000,
    /** Changed lines shown after a write or an edit. */
    maxDiffLines: 200,
  }),
  glob: Object.freeze({
    maxFiles: 100,
    /** A walk that takes longer answers with what it has. */
    timeoutMs: 20_000,
    /** Paths held in memory during one walk. */
    maxPaths: 200_000,
  }),
  grep: Object.freeze({
    /** Default `head_limit`; 0 there means no limit. */
    headLimit: 250,
    /** Longer lines are cut in the output. */
    maxLineChars: 2_000,
    timeoutMs: 20_000,
    /** Files larger than this are skipped by the JavaScript engine, as binaries are. */
    maxFileBytes: 256_000_000,
    /** What one search may hold in memory. */
    maxResultBytes: 20_000_000,
  }),
  bash: Object.freeze({
    timeoutMs: 120_000,
    maxTimeoutMs: 600_000,
    backgroundTimeoutMs: 1_800_000,
    maxBackgroundTimeoutMs: 7_200_000,
    /** From TERM to KILL. */
    killGraceMs: 2_000,
    /** Output kept on disk for one command; past it the middle goes. */
    maxFileBytes: 100_000_000,
    /** The tail sent with each progress event. */
    maxProgressChars: 2_000,
    /** At most one progress event in this time. */
    progressMs: 100,
    /** One command line. */
    maxCommandChars: 100_000,
  }),
  tasks: Object.freeze({
    /** A finished task can be read for an hour. */
    archiveMs: 3_600_000,
    maxTasks: 1_000,
    /** How long TaskOutput waits when nothing else is said, and at most. */
    waitMs: 30_000,
    maxWaitMs: 600_000,
  }),
  web: Object.freeze({
    timeoutMs: 30_000,
    /** After decompression. */
    maxBytes: 10_000_000,
    maxRedirects: 5,
    cacheMs: 900_000,
  }),
  subagents: Object.freeze({
    maxConcurrent: 8,
    maxDepth: 1,
    maxChildren: 5,
    archiveMs: 3_600_000,
    maxTurns: 20,
  }),
  mcp: Object.freeze({
    pingMs: 30_000,
    reconnectMinMs: 2_000,
    reconnectMaxMs: 60_000,
    maxReconnects: 10,
  }),
  retry: Object.freeze({
    /** 1 = no retry. */
    maxAttempts: 1,
    baseMs: 500,
    maxMs: 30_000,
  }),
});

type Numbers<Group> = { readonly [Name in keyof Group]: number };

/** A full set of limits, one group for each part of the library. */
export type Limits = { readonly [Group in keyof typeof defaultLimits]: Numbers<(typeof defaultLimits)[Group]> };

/** Some limits of some groups; what is missing keeps its default. */
export type LimitOverrides = { readonly [Group in keyof Limits]?: Partial<Limits[Group]> };

/** Merges overrides into the defaults. Throws a TypeError, with near names, for an unknown group or name and for anything but a number from 0 up (Infinity included). */
export function resolveLimits(overrides: LimitOverrides = {}): Limits {
  const merged: Record<string, Readonly<Record<string, number>>> = { ...defaultLimits };
  for (const [group, values] of Object.entries(overrides)) {
    const defaults = merged[group];
    if (defaults === undefined || !Object.hasOwn(defaultLimits, group)) {
      throw new TypeError(`limits.${group} is no group of limits.${didYouMean(group, Object.keys(defaultLimits))}`);
    }
    if (values !== undefined) merged[group] = mergeGroup(group, defaults, values);
  }
  return Object.freeze(merged) as Limits;
}

function mergeGroup(group: string, defaults: Readonly<Record<string, number>>, values: Readonly<Record<string, unknown>>) {
  const merged = { ...defaults };
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(defaults, name))
      throw new TypeError(`limits.${group}.${name} is no limit.${didYouMean(name, Object.keys(defaults))}`);
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0))
      throw new TypeError(`limits.${group}.${name} must be a number from 0 up, not ${String(value)}`);
    merged[name] = value;
  }
  return Object.freeze(merged);
}
