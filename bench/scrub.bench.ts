// Text with one credential every 60 KB: the scrubber against ten regular expressions that run one after the other,
// alternated in one run. Prints ratios, because only those can be compared between machines. Usage: npm run bench --
// scrub
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HeadIndex } from '../src/core/text/literal-prefix-index.js';
import { createScrubber, scrubCredentials } from '../src/core.js';
import { CredentialScan } from '../src/secrets/credential-scan.js';
import { credentialRules } from '../src/secrets/rules/table.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
let state = 42;
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) % below;
}
const letters = (count: number, from = alphabet) =>
  Array.from({ length: count }, () => from[random(from.length)]).join('');

/** The usual hand-written scrubber: ten rules, one pass each. */
const rules: readonly RegExp[] = [
  /\bsk-(?:proj-)?[A-Za-z0-9_-]{20,}/g,
  /\bsk-ant-[A-Za-z0-9_-]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b(?:api_?key|token|secret|password|bearer|authorization)["']?\s*[:=]\s*["']?[A-Za-z0-9_+/=.-]{8,}/gi,
];
const sequence = (text: string) => rules.reduce((rest, rule) => rest.replace(rule, '[REDACTED]'), text);

const secrets: readonly (() => string)[] = [
  () => `sk${'-proj-'}${letters(48)}`,
  () => `gh${'p_'}${letters(36)}`,
  () => `AK${'IA'}${letters(16, alphabet.slice(0, 26))}`,
  () => `sk${'-ant-'}${letters(60)}`,
  () => `xo${'xb-'}${letters(30)}`,
  () => `AI${'za'}${letters(35)}`,
  () => `sk${'_live_'}${letters(24)}`,
  () => `ey${'J'}${letters(30)}.${letters(60)}.${letters(43)}`,
  () => `-----BEGIN PRIV${'ATE KEY-----'}\n${letters(64)}\n${letters(64)}\n-----END PRIV${'ATE KEY-----'}`,
  () => `password="${letters(20)}"`,
];

const words =
  'the value of request server handle user list index return const function import export from await result error path data file name type string number options config message length select update delete insert create table where order status handler response client session context buffer stream parse format write read open close start stop build test check render component module package version'.split(
    ' ',
  );
const word = () => words[random(words.length)] ?? 'x';
const upper = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * Lines of source code, logs and JSON. About one line in forty mentions tokens, keys or passwords without containing
 * one.
 */
const lines: readonly (() => string)[] = [
  () => `  const ${word()}${upper(word())} = await ${word()}.${word()}${upper(word())}(${word()}, ${random(100)});`,
  () => `export function ${word()}${upper(word())}(${word()}: string, ${word()}?: number): ${upper(word())} {`,
  () => `  if (${word()}.${word()} === undefined) return this.#${word()}(${word()});`,
  () => `    // ${word()} the ${word()} ${word()} when a ${word()} ${word()} is ${word()}`,
  () => `import { ${word()}${upper(word())}, ${word()} } from '../${word()}/${word()}-${word()}.js';`,
  () =>
    `2026-03-0${1 + random(9)}T1${random(10)}:2${random(10)}:0${random(10)}.${100 + random(900)}Z INFO  [${word()}] ${word()} ${word()} took ${random(9_000)}ms id=${letters(8, alphabet.slice(26, 32))}${random(1e6)}`,
  () =>
    `192.0.2.${random(255)} - - "GET /api/${word()}/${random(1e6)}?${word()}=${random(100)} HTTP/1.1" 200 ${random(1e5)}`,
  () =>
    `    {"id": ${random(1e7)}, "${word()}": "${word()} ${word()}", "${word()}At": "2026-01-0${1 + random(9)}", "${word()}": [${random(99)}, ${random(99)}]},`,
  () =>
    `      "${word()}-${word()}": { "version": "${random(20)}.${random(20)}.${random(20)}", "${word()}": true, "hash": "${letters(40, '0123456789abcdef')}" },`,
  () => '}',
];
const mentions: readonly (() => string)[] = [
  () => `  const token = tokens[${random(99)}];`,
  () => `export type ${upper(word())}Key = keyof typeof ${word()};`,
  () => `  password: string; // the ${word()} password of the ${word()}`,
  () => `  for (const [key, ${word()}] of Object.entries(${word()}s)) authors.set(key, ${word()});`,
];

function corpus(length: number, hasSecrets = true): string {
  const parts: string[] = [];
  let size = 0;
  let nextSecret = hasSecrets ? Math.min(60_000, length / 2) : Number.POSITIVE_INFINITY;
  while (size < length) {
    const make = random(40) === 0 ? mentions[random(mentions.length)] : lines[random(lines.length)];
    const line = size >= nextSecret ? `  ${word()}: ${secrets[random(secrets.length)]?.()}` : make?.();
    if (size >= nextSecret) nextSecret += 60_000;
    parts.push(line ?? '');
    size += (line?.length ?? 0) + 1;
  }
  return copyOf(parts.join('\n').slice(0, length));
}

/** The same text as one flat string. */
function copyOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/**
 * Processor time of this process since then, in milliseconds. Other programs on the machine affect it less than
 * wall-clock time.
 */
function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Median processor time of one run over all texts, in milliseconds. The subjects alternate. */
function measure(
  subjects: Readonly<Record<string, (text: string) => unknown>>,
  texts: readonly string[],
  rounds: number,
  repeats: number,
) {
  const samples = new Map(Object.keys(subjects).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds + 2; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      const before = process.cpuUsage();
      for (let index = 0; index < repeats; index++) for (const text of texts) subject(text);
      if (round >= 2) samples.get(name)?.push(msSince(before) / repeats);
    }
  }
  return [...samples].map(([name, times]) => ({
    name,
    ms: times.sort((left, right) => left - right)[times.length >> 1] ?? 0,
  }));
}

/** Prints speeds, and their ratios to the speed of the first subject. */
function report(
  title: string,
  subjects: Readonly<Record<string, (text: string) => unknown>>,
  texts: readonly string[],
  rounds: number,
  repeats = 1,
): void {
  const results = measure(subjects, texts, rounds, repeats);
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  const floor = results[0]?.ms ?? 1;
  console.log(`\n${title}`);
  for (const { name, ms } of results) {
    console.log(
      `  ${name.padEnd(36)} ${(chars / 1_000 / ms).toFixed(0).padStart(5)} MB/s  ${(floor / ms).toFixed(2).padStart(6)} x`,
    );
  }
}

const scrubber = createScrubber();
const reversible = createScrubber({ reversible: true });
const known = createScrubber({ values: Array.from({ length: 20 }, () => letters(24)) });
const subjects = {
  'ten regexes in sequence': sequence,
  'every rule': (text: string) => scrubber.text(text),
  'every rule, marks that can be undone': (text: string) => reversible.text(text),
  'every rule, 20 known values': (text: string) => known.text(text),
  'scrubCredentials, goal 1.00 x': scrubCredentials,
};
const medium = corpus(2_000_000);
const small = Array.from({ length: 30 }, (_, index) => copyOf(medium.slice(index * 4_096, (index + 1) * 4_096)));
report('4 KB', subjects, small, 40, 20);

// The output of a command is scrubbed twice, by the shell and as part of its result with title and metadata. The
// scrubber knows values of the environment.
const learned = createScrubber();
learned.learn([letters(24), letters(32), letters(40)]);
const facts = ['Bash: npm test', 'exitCode', 'outputFile', '/tmp/toolwright-1a2b3c4d-77-Xy12Zq/bash-7.txt'];
facts.push('truncated', 'timedOut', 'survivors', 'timeLimitMs', '120000');
const usual = Array.from({ length: 30 }, () => corpus(4_096, false));
const usualSubjects = {
  'ten regexes in sequence': sequence,
  'all of a result, goal 1.00 x': (text: string) => {
    learned.text(learned.text(text));
    for (const fact of facts) learned.text(fact);
  },
};
report('a usual result of 4 KB', usualSubjects, usual, 40, 20);
report('2 MB', subjects, [medium], 15);

function withPlaces(count: number) {
  const index = new HeadIndex(credentialRules.slice(-count));
  return (text: string) => new CredentialScan(() => '[REDACTED]', undefined, index).end(text);
}
report(
  '2 MB, by the number of rules',
  { '10 rules': withPlaces(10), '30 rules': withPlaces(30), 'every rule': withPlaces(1_000) },
  [medium],
  15,
);

function streamed(text: string): number {
  const stream = scrubber.stream();
  let size = 0;
  for (let start = 0; start < text.length; start += 65_536)
    size += stream.push(text.slice(start, start + 65_536)).length;
  return size + stream.end().length;
}
report(
  '2 MB, whole and in pieces of 64 KB',
  { whole: (text) => scrubber.text(text), 'in pieces': streamed },
  [medium],
  15,
);

const large = corpus(100_000_000);
report('100 MB', { 'ten regexes in sequence': sequence, 'every rule': (text) => scrubber.text(text) }, [large], 3);

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
collect();
const before = used();
const kept = scrubber.text(large);
const peak = used();
collect();
console.log(
  `\nMemory for 100 MB: at most ${((peak - before) / large.length).toFixed(2)} x the text, ${((used() - before) / kept.length).toFixed(2)} x held`,
);

console.log('\n10 MB of adversarial text, processor time');
for (const unit of [
  'A_TOKEN=',
  'key=',
  'token="token=\'token=`',
  '://a:b@',
  'bearer bearer ',
  'cookie: sid=a1b2c3d4;',
  'eyJa',
  '-----',
  'Basic aaaa:',
]) {
  const text = copyOf(unit.repeat(10_000_000 / unit.length));
  const start = process.cpuUsage();
  scrubber.text(text);
  console.log(`  ${JSON.stringify(unit).padEnd(36)} ${msSince(start).toFixed(0).padStart(5)} ms`);
}
