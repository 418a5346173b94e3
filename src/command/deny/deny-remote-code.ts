import { skipOptions, splitOptions } from '../read/command-options.js';
import { type Denial, type DenyRule, normalPath, type PlainCommand, toPlain } from '../read/denied-command.js';
import { codeOf } from '../read/interpreter-code.js';
import { isDecoder, isFetcher, isInterpreter, isNetworkPipe, isShell } from '../read/program-classes.js';
import { type CommandWord, programName, type SimpleCommand } from '../read/simple-command.js';
import { isStandardInput } from '../read/unwrap-shell.js';

/** Runs what another machine sends: a download piped, substituted or passed into a shell or an interpreter. */
export const denyRemoteCode: DenyRule = (call) => {
  const sources = executedSources(call);
  const fetcher = sources.map(toPlain).find(({ name, words }) => isFetcher(name, words));
  if (fetcher)
    return { category: 'remote-code', text: `${call.name || 'the shell'} runs what ${fetcher.name} downloads` };
  return invokesDownload(call) ? { category: 'remote-code', text: `${call.name} runs what it downloads` } : undefined;
};

/** Runs text that is made by other commands: `eval` of a substitution, decoded bytes into a shell. */
export const denyEvalInjection: DenyRule = (call) => {
  const decoder = executedSources(call)
    .map(toPlain)
    .find(({ name, words }) => isDecoder(name, words));
  if (decoder)
    return { category: 'eval-injection', text: `${call.name || 'the shell'} runs what ${decoder.name} decodes` };
  if (runsDecoded(call)) return { category: 'eval-injection', text: `${call.name} runs code that it decodes` };
  const computed = call.name === 'eval' && call.command.argv.slice(1).some((word) => word.runs.length > 0);
  return computed ? { category: 'eval-injection', text: 'eval runs the output of a command' } : undefined;
};

const maxCode = 20_000;
const evaluatesDecoded = /(?<![.\w])(?:exec|eval)\s*\(?[^;\n]{0,80}(?:b64decode|base64|fromhex|unhexlify|\batob\b)/;

function runsDecoded(call: PlainCommand): boolean {
  if (!isInterpreter(call.name)) return false;
  if (/^(?:powershell|pwsh)$/.test(call.name)) return call.words.some((word) => /^-e(?:c|n[a-z]*)?$/i.test(word));
  return codeOf(call.command).some((code) => evaluatesDecoded.test(code.slice(0, maxCode)));
}

const fetches = '(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring)';
const invokesFetched = new RegExp(
  `\\b(?:iex|invoke-expression)\\b[^;]*\\b${fetches}\\b|\\b${fetches}\\b[^;]*\\|\\s*(?:iex|invoke-expression)\\b`,
  'i',
);

function invokesDownload({ name, words }: PlainCommand): boolean {
  return /^(?:powershell|pwsh)$/.test(name) && invokesFetched.test(words.join(' ').slice(0, maxCode));
}

/** Connects a shell to the network. */
export const denyReverseShell: DenyRule = (call) => {
  const text = networkFile(call) ?? networkProgram(call) ?? shellOverPipe(call) ?? socketCode(call);
  return text === undefined ? undefined : ({ category: 'reverse-shell', text } satisfies Denial);
};

/** The commands whose output this one executes as code. */
function executedSources(call: PlainCommand): readonly SimpleCommand[] {
  const { command } = call;
  return withPrinted([
    ...(command.argv[0]?.runs ?? []),
    ...runsIn(codeWords(call)),
    ...inputSources(call),
    ...outputSources(call),
  ]);
}

const maxSources = 1_000;

/** Adds, where a command prints its own words or a here-string, the commands whose output stands in them. */
function withPrinted(sources: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const found = new Set(sources);
  for (const command of found) {
    if (found.size > maxSources) break;
    const prints = /^(?:echo|printf|print)$/.test(programName(command.argv[0])) ? command.argv.slice(1) : [];
    const given = command.redirections.flatMap((each) => (each.body === undefined ? [] : (each.target ?? [])));
    for (const each of runsIn([...prints, ...given])) found.add(each);
  }
  return [...found];
}

/** The words that are code or name a file of code. */
export function codeWords({ command, name }: PlainCommand): readonly CommandWord[] {
  const rest = command.argv.slice(1);
  if (name === 'eval') return rest;
  if (name === 'source' || name === '.' || name === 'trap') return rest.slice(0, 1);
  if (!isShell(name) && !isInterpreter(name)) return [];
  const files = rest.filter((word) => word.text.startsWith('<('));
  const inline = rest.filter((word, index) => takesCode(rest[index - 1]?.value ?? '') && startsWithOutput(word.text));
  return [...files, ...inline];
}

function takesCode(option: string): boolean {
  return /^(?:-[a-zA-Z]*[ceEpr]|--eval|--print|--command|eval|--)$/.test(option);
}

function startsWithOutput(text: string): boolean {
  return /^["'\s]*(?:\$\(|`|\$\{?\w)/.test(text);
}

function inputSources(call: PlainCommand): readonly SimpleCommand[] {
  const { command, name, words } = call;
  const sourced = (name === 'source' || name === '.') && isStandardInput(words[0] ?? '');
  const handedOn = name === 'xargs' && runsShellText(words);
  return sourced || handedOn || readsCode(call) ? stdinSources(command) : [];
}

/**
 * Where the output goes into a `>(…)` that holds a shell, what comes out of the command itself and of those before it.
 */
function outputSources({ command }: PlainCommand): readonly SimpleCommand[] {
  const words = [...command.argv, ...command.redirections.flatMap((each) => each.target ?? [])].filter((word) =>
    word.text.startsWith('>('),
  );
  const executes = words.some((word) => word.runs.some((inner) => readsCode(toPlain(inner))));
  return executes ? [command, ...command.input.commands] : [];
}

function runsIn(words: readonly CommandWord[]): readonly SimpleCommand[] {
  return words.flatMap((word) => word.runs);
}

function stdinSources(command: SimpleCommand): readonly SimpleCommand[] {
  return [...command.input.commands, ...command.redirections.flatMap((each) => each.target?.runs ?? [])];
}

const runsParameter =
  /\b(?:eval|source|sh|trap)\b[^;|&\n]*\$[@*{\d]|(?:^|[;&|({]|\b(?:do|then|else)\b)\s*["']?\$[@*{\d]/;

function runsShellText(words: readonly string[]): boolean {
  const shell = words.findIndex(
    (word, index) => isShell(word.replace(/^.*\//s, '')) && /^-[a-z]*c/.test(words[index + 1] ?? ''),
  );
  if (shell === -1) return false;
  const code = words[shell + 2];
  const options = words.slice(0, shell).join(' ');
  const marker =
    /(?:^|\s)-[a-zA-Z0]*I\s*(\S+)/.exec(options)?.[1] ??
    (/(?:^|\s)(?:-[a-zA-Z0]*i|--replace)/.test(options) ? '{}' : undefined);
  return code === undefined || (marker !== undefined && code.includes(marker)) || runsParameter.test(code);
}

/** True for a shell or interpreter that takes its code from standard input. */
export function readsCode({ command, name }: PlainCommand): boolean {
  if (takesJobs(name, command.argv)) return true;
  if (!isShell(name) && !isInterpreter(name)) return false;
  if (/awk/.test(name)) return false;
  const words = command.argv.slice(1);
  if (isShell(name) && words.some((word) => /^-[a-z]*n[a-z]*$/.test(word.value))) return false;
  if (words.some((word) => /^-[a-zA-Z]*s$/.test(word.value)) && isShell(name)) return true;
  if (/^(?:deno|bun)$/.test(name) && words[0]?.value === 'run')
    return words.slice(1).find((word) => !/^-./.test(word.value))?.value === '-';
  if (/^(?:powershell|pwsh)$/.test(name)) return words.at(-1)?.value === '-';
  const { options, operands } = splitOptions(words);
  const first =
    words[
      skipOptions(words, 0, {
        letters: isShell(name) ? 'oO' : 'WXrI',
        longs: ['--require', '--import', '--loader', '--rcfile', '--init-file'],
      })
    ];
  const inline = words.some((word) => /^-[a-zA-Z]*[ceE]$/.test(word.value));
  if (!inline && first && isStandardInput(first.value)) return true;
  if (isShell(name))
    return operands.length === 0 && !options.some((option) => /^-[a-zA-Z]*c|^--(?:version|help|command)/.test(option));
  return operands.length === 0 && options.every((option) => /^-[uiBSEIqO]+$/.test(option));
}

/** True for a scheduler, `make` or `parallel` that takes what it runs from standard input. */
function takesJobs(name: string, argv: readonly CommandWord[]): boolean {
  const words = argv.slice(1).map((word) => word.value);
  if (name === 'crontab') return words.every((word) => word === '-' || isStandardInput(word));
  if (name === 'at' || name === 'batch') return !words.some((word) => /^-[a-zA-Z]*[flcdr]/.test(word));
  if (/^[gb]?make$/.test(name))
    return words.some(
      (word, index) =>
        /^(?:-f-|--(?:make)?file=-)$/.test(word) ||
        (/^(?:-[a-zA-Z]*f|--(?:make)?file)$/.test(words[index - 1] ?? '') && isStandardInput(word)),
    );
  return name === 'parallel' && words.every((word) => /^(?:-|\d+$)/.test(word));
}

function networkFile({ command }: PlainCommand): string | undefined {
  const target = command.redirections.find(
    (each) => each.body === undefined && /^\/dev\/(?:tcp|udp)\//.test(normalPath(each.target?.value ?? '')),
  );
  return target && `opens the network connection ${target.target?.value}`;
}

function networkProgram({ name, words }: PlainCommand): string | undefined {
  if (/^(?:nc|ncat|netcat|nc\.\w+|cryptcat|pwncat)$/.test(name)) {
    const executes = words.some(
      (word) => /^--(?:exec|sh-exec|lua-exec)/.test(word) || /^-[abdhklnrtuvzCDFNSUZ46]*[ec]/.test(word),
    );
    return executes ? `${name} gives a program to the network` : undefined;
  }
  if (name === 'socat')
    return words.some((word) => /(?:^|!!)(?:exec|system|shell):/i.test(word))
      ? 'socat gives a program to the network'
      : undefined;
  if (name === 'zmodload') return words.includes('zsh/net/tcp') ? 'loads the network module of zsh' : undefined;
  return name === 'ztcp' ? 'opens a network connection' : undefined;
}

function shellOverPipe({ command, name, words }: PlainCommand): string | undefined {
  if (!isNetworkPipe(name, words)) return undefined;
  const shell = command.input.commands.find(
    (before) => isShell(programName(before.argv[0])) && readsCode(toPlain(before)),
  );
  return shell && `${name} sends what a shell answers`;
}

const opensSocket =
  /\bsocket\b|\bTCPSocket\b|fsockopen|stream_socket_client|\bnet\.(?:connect|Socket|createConnection|createServer)\b|require\(\s*['"](?:net|tls)['"]|IO::Socket|\/inet\/(?:tcp|udp)|\bsockaddr_in\b|TcpClient/i;
const runsShell =
  /subprocess|os\.dup2|pty\.spawn|os\.system|os\.exec|\bexec\b|\bexec[lv]p?e?\b|child_process|shell_exec|proc_open|passthru|\bpopen\b|\/bin\/(?:ba|z|da|k)?sh\b|\bspawn\b|\bsystem\b|cmd\.exe|\|&|getline/i;

function socketCode({ command, name, words }: PlainCommand): string | undefined {
  if (!isInterpreter(name)) return undefined;
  const texts = [...codeOf(command), ...(/^(?:powershell|pwsh)$/.test(name) ? [words.join(' ')] : [])].map((text) =>
    text.slice(0, maxCode),
  );
  return texts.some((text) => opensSocket.test(text) && runsShell.test(text))
    ? `${name} code joins a network socket to a shell`
    : undefined;
}
