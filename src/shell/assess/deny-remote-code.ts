import { normalPath } from '../../core/text/path-names.js';
import { passedWords } from '../parse/passed-words.js';
import type { CommandWord, SimpleCommand } from '../parse/simple-command.js';
import { isShell, runsInput } from '../parse/standard-input.js';
import { readArguments } from '../programs/read-arguments.js';
import type { Denial, DenyRule } from './denial.js';
import { filesOf } from './named-files.js';

/**
 * Denies commands that run a download (`remote-code`), and commands that run decoded text or pass the output of a
 * command to `eval` (`eval-injection`).
 */
export const denyExecutedOutput: DenyRule = (command) => {
  const { name, words, argv } = command;
  const sources = executedSources(command);
  const runner = name || 'the shell';
  const fetcher = sources.find(isFetcher);
  const decoder = sources.find(isDecoder);
  const isPowershell = /^(?:powershell|pwsh)$/.test(name);
  const remote = fetcher
    ? `${runner} runs what ${fetcher.name} downloads`
    : isPowershell && invokesFetched.test(words.join(' ').slice(0, maxCode)) && `${name} runs what it downloads`;
  const injected = decoder
    ? `${runner} runs what ${decoder.name} decodes`
    : runsDecoded(command)
      ? `${name} runs code that it decodes`
      : name === 'eval' && argv.slice(1).some(({ runs }) => runs.length > 0) && 'eval runs the output of a command';
  return [
    ...(remote ? [{ category: 'remote-code', text: remote } as const] : []),
    ...(injected ? [{ category: 'eval-injection', text: injected } as const] : []),
  ];
};

/** Denies reverse shells: shells or programs connected to the network. */
export const denyReverseShell: DenyRule = (call) => {
  const text = networkFile(call) ?? networkProgram(call) ?? shellOverPipe(call) ?? socketCode(call);
  return text === undefined ? undefined : { category: 'reverse-shell', text };
};

/** Denies running a file that the same line downloads: `curl -o a x && sh a`, `curl x > a; cat a | sh`. */
export function denyDownloadedCode(commands: readonly SimpleCommand[]): readonly Denial[] {
  if (commands.length < 2) return [];
  const downloaded = new Set<string>();
  const found: Denial[] = [];
  const running = new Set(commands.flatMap(({ functions, read }) => (runsInput(read) ? functions : [])));
  for (const call of commands) {
    const fetcher = running.has(call.argv[0]?.value ?? '') ? inputSources(call).find(isFetcher) : undefined;
    if (fetcher !== undefined)
      found.push({ category: 'remote-code', text: `${call.name} runs what ${fetcher.name} downloads` });
    const file = executedFiles(call).find((path) => downloaded.has(normalPath(path)));
    if (file !== undefined)
      found.push({ category: 'remote-code', text: `${call.name} runs ${file}, which the line downloads` });
    for (const path of downloadedFiles(call)) downloaded.add(normalPath(path));
  }
  return found;
}

const maxCode = 20_000;
const maxSources = 1_000;

/** Whether the output of a program comes from another machine. */
function isFetcher({ name, words, read }: SimpleCommand): boolean {
  if (read.program?.traits.has('serves') || read.program?.operands[0] === 'url') return !name.startsWith('git');
  if (read.program?.operands.includes('intoPath')) return words.some((word) => /^[\w.@-]+:/.test(word));
  if (name === 'git') return words.includes('archive') && words.some((word) => word.startsWith('--remote'));
  return /^(?:python|perl|ruby|php|node)/.test(name) && words.some((word) => /https?:\/\//.test(word));
}

const undoing =
  /^(?:uudecode|gunzip|b?z(?:std)?cat|gzcat|bunzip2|xzcat|unxz|unzstd|unlzma|lz4cat|rev|rot13|caesar|funzip|base64decode|qprint|tac)$/;
const unpacking =
  /^(?:g?base\d+|basenc|gzip|pigz|bzip2|xz|lzma|zstd|lz4|lzop|brotli|gpg2?|age|uuencode|ascii85|basez|quopri|uu)$/;

/** Whether a call decodes, decompresses or decrypts text, or swaps its letters. */
function isDecoder({ name, words, read }: SimpleCommand): boolean {
  const decodes = words.some((word) => /^-[a-zA-Z]*[dD]|^--d(?:ec|$)/.test(word));
  if (/^python[\d.]*$/.test(name))
    return decodes && read.started.some(({ words }) => unpacking.test(words[0]?.value ?? ''));
  if (name === 'xxd') return words.some((word) => /^-[a-z]*r/.test(word));
  if (name === 'openssl') return words.includes('-d');
  if (name === 'tr') return !words.some((word) => /^(?:-[a-zA-Z]*[ds]|--delete|--squeeze-repeats)/.test(word));
  return undoing.test(name) || (decodes && unpacking.test(name));
}

const evaluatesDecoded = /(?<![.\w])(?:exec|eval)\s*\(?[^;\n]{0,80}(?:b64decode|base64|fromhex|unhexlify|\batob\b)/;

function runsDecoded(call: SimpleCommand): boolean {
  if (/^(?:powershell|pwsh)$/.test(call.name)) return call.words.some((word) => /^-e(?:c|n[a-z]*)?$/i.test(word));
  return codeTexts(call).some((code) => evaluatesDecoded.test(code));
}

/** The code that an interpreter gets on the command line and in here-documents. */
function codeTexts({ redirections, read }: SimpleCommand): readonly string[] {
  const inline = read.values.filter(({ kind }) => kind === 'code').map(({ word }) => word.value);
  const bodies = runsInput(read) ? redirections.flatMap(({ body }) => body ?? []) : [];
  return [...inline, ...bodies].map((code) => code.slice(0, maxCode));
}

const fetches = '(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring)';
const invokesFetched = new RegExp(
  `\\b(?:iex|invoke-expression)\\b[^;]*\\b${fetches}\\b|\\b${fetches}\\b[^;]*\\|\\s*(?:iex|invoke-expression)\\b`,
  'i',
);

/** The commands whose output this command executes as code. */
function executedSources(command: SimpleCommand): readonly SimpleCommand[] {
  const { argv, name, read } = command;
  const code = read.values.filter(({ kind }) => kind === 'command' || kind === 'code' || kind === 'codePath');
  const isCode = (word: CommandWord) => name === 'eval' || /^["'\s]*(?:\$\(|`|\$\{?\w|<\()/.test(word.text);
  const isInputCode = runsInput(read) || passesToShell(command);
  return withPrinted([
    ...(argv[0]?.runs ?? []),
    ...runsIn(code.map(({ word }) => word).filter(isCode)),
    ...(isInputCode ? inputSources(command) : []),
    ...outputSources(command),
  ]);
}

/** The commands whose output is the input of this command. */
function inputSources({ input, redirections }: SimpleCommand): readonly SimpleCommand[] {
  return withPrinted([...input, ...redirections.flatMap(({ target }) => target?.runs ?? [])]);
}

function runsIn(words: readonly CommandWord[]): readonly SimpleCommand[] {
  return words.flatMap((word) => word.runs);
}

/** Adds the commands whose output a source prints: the substitutions in the words of `echo` and in redirections. */
function withPrinted(sources: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const found = new Set(sources);
  for (const command of found) {
    if (found.size > maxSources) break;
    const prints = /^(?:echo|printf|print)$/.test(command.argv[0]?.value ?? '') ? command.argv.slice(1) : [];
    const given = command.redirections.flatMap(({ target }) => target ?? []);
    for (const each of runsIn([...prints, ...given])) found.add(each);
  }
  return [...found];
}

/** The commands whose output goes to a shell in `>(…)`: this command and the earlier stages of its pipe. */
function outputSources(command: SimpleCommand): readonly SimpleCommand[] {
  const targets = [...command.argv, ...command.redirections.flatMap(({ target }) => target ?? [])];
  const executes = targets.some(
    ({ text, runs }) => text.startsWith('>(') && runs.some((inner) => runsInput(inner.read)),
  );
  return executes ? [command, ...command.input] : [];
}

const runsParameter =
  /\b(?:eval|source|sh|trap)\b[^;|&\n]*\$[@*{\d]|(?:^|[;&|({]|\b(?:do|then|else)\b)\s*["']?\$[@*{\d]/;

/** Whether `xargs` passes its input to a shell as code. */
function passesToShell({ read }: SimpleCommand): boolean {
  if (read.program?.traits.has('xargs') !== true) return false;
  if (read.program.traits.has('joined')) return read.values.length === 0;
  const placeholder = passedWords(read)?.placeholder;
  return read.started.some(({ words }) => {
    const inner = readArguments(words);
    const code = inner.values.find(({ kind }) => kind === 'command')?.word.value;
    if (!isShell(inner) || !inner.effects.has('firstIsCommand')) return false;
    return code === undefined || placeholder?.test(code) === true || runsParameter.test(code);
  });
}

/** The files that a call runs, by name or as input. */
function executedFiles(command: SimpleCommand): readonly string[] {
  const { read, name } = command;
  const program = command.argv[0]?.value ?? '';
  const isCode = ({ kind, option }: (typeof read.values)[number]) =>
    kind === 'codePath' || (kind === 'config' && /make$/.test(name)) || (name === 'xargs' && option === '--arg-file');
  const named = read.values.filter(isCode).map(({ word }) => word.value);
  const printing = read.values
    .filter(({ kind }) => kind === 'command' || kind === 'code')
    .flatMap(({ word }) => word.runs);
  const sources = runsInput(read) ? [command, ...command.input, ...printing] : printing;
  const input = sources.flatMap(filesOf).flatMap(({ kind, word }) => (kind === 'read' ? [word.value] : []));
  return [...(program.includes('/') ? [program] : []), ...named, ...input];
}

function downloadedFiles(command: SimpleCommand): readonly string[] {
  if (!isFetcher(command) && !command.input.some(isFetcher)) return [];
  return filesOf(command).flatMap(({ kind, word: { value } }) =>
    kind === 'edit' && value !== '' && value !== '-' && !value.startsWith('/dev/') ? [value] : [],
  );
}

function networkFile({ redirections }: SimpleCommand): string | undefined {
  const target = redirections.find(
    ({ body, target }) => body === undefined && /^\/dev\/(?:tcp|udp)\//.test(normalPath(target?.value ?? '')),
  );
  return target && `opens the network connection ${target.target?.value}`;
}

const networkPipes = /^(?:nc|ncat|netcat|nc\.\w+|telnet|socat|cryptcat|pwncat|websocat)$/;

function networkProgram({ name, words, read }: SimpleCommand): string | undefined {
  const isGiven =
    (networkPipes.test(name) && read.values.some(({ kind }) => kind === 'command')) ||
    (name === 'socat' && words.some((word) => /(?:^|!!)(?:exec|system|shell):/i.test(word)));
  if (isGiven) return `${name} connects a program to the network`;
  if (name === 'zmodload') return words.includes('zsh/net/tcp') ? 'loads the network module of zsh' : undefined;
  return name === 'ztcp' ? 'opens a network connection' : undefined;
}

function shellOverPipe({ input, name, words }: SimpleCommand): string | undefined {
  if (!networkPipes.test(name) && !(name === 'openssl' && words.includes('s_client'))) return undefined;
  const reads = input.some(({ read }) => isShell(read) && runsInput(read));
  return reads ? `${name} sends the output of a shell` : undefined;
}

const opensSocket =
  /\bsocket\b|\bTCPSocket\b|fsockopen|stream_socket_client|\bnet\.(?:connect|Socket|createConnection|createServer)\b|require\(\s*['"](?:net|tls)['"]|IO::Socket|\/inet\/(?:tcp|udp)|\bsockaddr_in\b|TcpClient/i;
const runsShell =
  /subprocess|os\.dup2|pty\.spawn|os\.system|os\.exec|\bexec\b|\bexec[lv]p?e?\b|child_process|shell_exec|proc_open|passthru|\bpopen\b|\/bin\/(?:ba|z|da|k)?sh\b|\bspawn\b|\bsystem\b|cmd\.exe|\|&|getline/i;

function socketCode(call: SimpleCommand): string | undefined {
  const texts = [...codeTexts(call), ...(/^(?:powershell|pwsh)$/.test(call.name) ? [call.words.join(' ')] : [])];
  return texts.some((text) => opensSocket.test(text) && runsShell.test(text))
    ? `${call.name} code joins a network socket to a shell`
    : undefined;
}
