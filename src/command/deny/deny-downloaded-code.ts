import { skipOptions } from '../read/command-options.js';
import { type Denial, normalPath, type PlainCommand, toPlain } from '../read/denied-command.js';
import { isFetcher, isInterpreter, isShell } from '../read/program-classes.js';
import type { CommandWord, SimpleCommand } from '../read/simple-command.js';
import { codeWords, readsCode } from './deny-remote-code.js';

/**
 * Runs a file that an earlier command of the same line downloads: `curl -o a x && sh a`, `curl x > a; cat a | sh`,
 * `wget … && ./a`.
 */
export function denyDownloadedCode(commands: readonly SimpleCommand[]): readonly Denial[] {
  const downloaded = new Set<string>();
  const found: Denial[] = [];
  let folder = '';
  for (const call of commands.map(toPlain)) {
    if (call.name === 'cd' || call.name === 'pushd')
      folder = reached(folder, call.words.find((word) => !/^-./.test(word)) ?? '');
    const file = executedFiles(call).find(
      (path) => downloaded.has(normalPath(path)) || downloaded.has(reached(folder, path)),
    );
    if (file !== undefined)
      found.push({ category: 'remote-code', text: `${call.name} runs ${file}, which the line downloads` });
    for (const path of writtenFiles(call, downloaded)) downloaded.add(normalPath(path)).add(reached(folder, path));
  }
  return found;
}

function reached(folder: string, path: string): string {
  return normalPath(/^[/~]/.test(path) || folder === '' ? path : `${folder}/${path}`);
}

/** A file as it is named from the folder the line is in. */
function pathOf({ text, value }: CommandWord): string {
  return /^"?\$\{?PWD\}?"?\//.test(text) ? value.replace(/^\/+/, '') : value;
}

/** The files whose content stands in the code a shell is given: `sh -c "$(cat a)"`. */
function quotedFiles(call: PlainCommand): readonly string[] {
  const runs = codeWords(call).flatMap((word) => word.runs);
  return runs.flatMap(({ argv, redirections }) => [
    ...argv.slice(1).map(pathOf),
    ...redirections.flatMap((each) => (each.operator === '<' && each.target ? [pathOf(each.target)] : [])),
  ]);
}

function listFiles({ name, words }: PlainCommand): readonly string[] {
  if (name !== 'xargs' || !/\b\w*sh\b/.test(words.join(' ').slice(0, 1_000))) return [];
  return words.flatMap((word, index) => {
    const attached = /^(?:-a|--arg-file=?)(.*)$/s.exec(word)?.[1];
    return attached === undefined ? [] : [attached || (words[index + 1] ?? '')];
  });
}

function executedFiles(call: PlainCommand): readonly string[] {
  const { command, name, words } = call;
  const program = command.argv[0]?.value ?? '';
  const own = [...(program.includes('/') ? [program] : []), ...quotedFiles(call), ...listFiles(call)];
  const rest = command.argv.slice(1);
  if (name === 'source' || name === '.') return [...own, ...words.slice(0, 1)];
  if (isShell(name) && words.includes('-n')) return own;
  if (isShell(name) || isInterpreter(name)) {
    const script = rest[skipOptions(rest, 0, { letters: isShell(name) ? 'oO' : 'WXrI' })];
    if (script !== undefined) own.push(pathOf(script));
  }
  const jobs = /^(?:crontab|at|batch|[gb]?make)$/.test(name) ? words.filter((word) => !word.startsWith('-')) : [];
  return readsCode(call) ? [...own, ...jobs, ...inputFiles(command)] : [...own, ...jobs];
}

function inputFiles(command: SimpleCommand): readonly string[] {
  const redirected = command.redirections.flatMap((each) => (each.operator === '<' ? (each.target?.value ?? []) : []));
  return [...redirected, ...command.input.commands.flatMap((before) => before.argv.slice(1).map((word) => word.value))];
}

function writtenFiles(call: PlainCommand, downloaded: ReadonlySet<string>): readonly string[] {
  const { command, name, words } = call;
  const fetched =
    isFetcher(name, words) ||
    command.input.commands.map(toPlain).some((before) => isFetcher(before.name, before.words));
  const copied = words.some((word) => downloaded.has(normalPath(word)));
  if (!fetched && !copied) return [];
  const redirected = command.redirections.flatMap((each) =>
    />/.test(each.operator) && each.target ? [each.target.value] : [],
  );
  const named = isFetcher(name, words) ? outputNames(name, words) : [];
  const operands =
    name === 'tee' || (copied && /^(?:cp|mv|ln|install)$/.test(name))
      ? words.filter((word) => !word.startsWith('-'))
      : [];
  const raw = name === 'dd' ? words.flatMap((word) => (word.startsWith('of=') ? [word.slice(3)] : [])) : [];
  return [...redirected, ...named, ...operands, ...raw].filter(
    (path) => path !== '' && path !== '-' && !path.startsWith('/dev/'),
  );
}

function outputNames(name: string, words: readonly string[]): readonly string[] {
  const output =
    name === 'wget' ? /^(?:-[a-zA-Z]*O|--output-document=?)(.*)$/s : /^(?:-[a-zA-Z#]*o|--output(?:=|$)|--out=)(.*)$/s;
  const given = words.flatMap((word, index) => {
    const attached = output.exec(word)?.[1];
    return attached === undefined ? [] : [attached || (words[index + 1] ?? '')];
  });
  const urls = words
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.replace(/[?#].*$/s, '').replace(/^.*\//s, ''));
  const below = name === 'wget' ? /^(?:-[a-zA-Z]*P|--directory-prefix=?)(.*)$/s : /^--output-dir=?(.*)$/s;
  const index = words.findIndex((word) => below.test(word));
  const folder = index === -1 ? undefined : below.exec(words[index] ?? '')?.[1] || words[index + 1];
  const written = given.length > 0 ? given : urls;
  return folder === undefined ? written : written.flatMap((path) => [path, `${folder}/${path}`]);
}
