import { skipOptions } from './command-options.js';
import type { Denial, PlainCommand } from './denied-command.js';
import { normalPath, toPlain } from './denied-command.js';
import { readsCode } from './deny-remote.js';
import { isFetcher, isInterpreter, isShell } from './program-classes.js';
import type { SimpleCommand } from './simple-command.js';

/** Runs a file that an earlier command of the same line downloads: `curl -o a x && sh a`, `curl x > a; cat a | sh`, `wget … && ./a`. */
export function denyDownloads(commands: readonly SimpleCommand[]): readonly Denial[] {
  const downloaded = new Set<string>();
  const found: Denial[] = [];
  for (const call of commands.map(toPlain)) {
    const file = executedFiles(call).find((path) => downloaded.has(normalPath(path)));
    if (file !== undefined) found.push({ category: 'remote-code', text: `${call.name} runs ${file}, which the line downloads` });
    for (const path of writtenFiles(call, downloaded)) downloaded.add(normalPath(path));
  }
  return found;
}

function executedFiles(call: PlainCommand): readonly string[] {
  const { command, name, words } = call;
  const program = command.argv[0]?.value ?? '';
  const own = program.includes('/') ? [program] : [];
  const rest = command.argv.slice(1);
  if (name === 'source' || name === '.') return [...own, ...words.slice(0, 1)];
  if (isShell(name) && words.includes('-n')) return own;
  if (isShell(name) || isInterpreter(name)) {
    const script = rest[skipOptions(rest, 0, { letters: isShell(name) ? 'oO' : 'WXrI' })]?.value;
    if (script !== undefined) own.push(script);
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
  const fetched = isFetcher(name, words) || command.input.commands.map(toPlain).some((before) => isFetcher(before.name, before.words));
  const copied = words.some((word) => downloaded.has(normalPath(word)));
  if (!fetched && !copied) return [];
  const redirected = command.redirections.flatMap((each) => (/>/.test(each.operator) && each.target ? [each.target.value] : []));
  const named = isFetcher(name, words) ? outputNames(name, words) : [];
  const operands = name === 'tee' || (copied && /^(?:cp|mv|ln|install)$/.test(name)) ? words.filter((word) => !word.startsWith('-')) : [];
  return [...redirected, ...named, ...operands].filter((path) => path !== '' && path !== '-' && !path.startsWith('/dev/'));
}

function outputNames(name: string, words: readonly string[]): readonly string[] {
  const output = name === 'wget' ? /^(?:-[a-zA-Z]*O|--output-document=?)(.*)$/s : /^(?:-[a-zA-Z#]*o|--output=?|--out=)(.*)$/s;
  const given = words.flatMap((word, index) => {
    const attached = output.exec(word)?.[1];
    return attached === undefined ? [] : [attached || (words[index + 1] ?? '')];
  });
  const urls = words.filter((word) => !word.startsWith('-')).map((word) => word.replace(/[?#].*$/s, '').replace(/^.*\//s, ''));
  return given.length > 0 ? given : urls;
}
