import { type Denial, type DenyRule, normalPath, type PlainCommand } from '../read/denied-command.js';

const halting = new Set([
  'shutdown',
  'reboot',
  'poweroff',
  'halt',
  'stop-computer',
  'restart-computer',
  'killall5',
  'pm-suspend',
  'pm-hibernate',
]);
const targets =
  /^(?:poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|isolate|exit|(?:poweroff|reboot|halt|rescue|emergency|shutdown|kexec)\.target|runlevel[06]\.target)$/;

/** Stops, restarts or suspends the machine, or ends every process on it. */
export const denySystemControl: DenyRule = (call) => {
  const text = systemControl(call);
  return text === undefined ? undefined : { category: 'system-control', text };
};

function systemControl({ command, name, words }: PlainCommand): string | undefined {
  const isTrigger = (path: string) => normalPath(path) === '/proc/sysrq-trigger';
  const redirected = command.redirections.some((each) => each.operator !== '<' && isTrigger(each.target?.value ?? ''));
  if (
    redirected ||
    (/^(?:tee|dd|gdd|cp|install|sponge|truncate)$/.test(name) &&
      words.some((word) => isTrigger(word.replace(/^of=/, ''))))
  )
    return 'writes to the kernel trigger';
  if (
    words.length === 1 &&
    /^(?:--help|--version|-V|-h|-\?)$/.test(words[0] ?? '') &&
    !(name === 'shutdown' && words[0] === '-h')
  )
    return undefined;
  if (halting.has(name)) return cancels(name, words) ? undefined : `${name} stops the machine`;
  if (name === 'init' || name === 'telinit')
    return words.some((word) => /^[06sS1]$/.test(word)) ? `${name} changes the run level` : undefined;
  if (name === 'systemctl' || name === 'loginctl') return serviceControl(name, words);
  if (name === 'kill') return killsAll(words) ? 'kill ends every process' : undefined;
  if (name === 'kexec')
    return words.some((word) => /^-[a-zA-Z]*e|^--exec/.test(word)) ? 'kexec restarts into another kernel' : undefined;
  if (/^(?:dbus-send|gdbus|busctl|qdbus)$/.test(name))
    return words.some((word) => /(?:PowerOff|Reboot|Halt|Suspend|Hibernate)(?:\W|$)/.test(word))
      ? `${name} stops the machine`
      : undefined;
  if (name === 'osascript')
    return words.some(
      (word) => /\b(?:shut\s?down|restart)\b/i.test(word) && /system events|finder|loginwindow/i.test(word),
    )
      ? 'osascript stops the machine'
      : undefined;
  if (name === 'rundll32')
    return words.some((word) => /exitwindows|setsuspendstate/i.test(word)) ? 'rundll32 stops the machine' : undefined;
  return undefined;
}

function cancels(name: string, words: readonly string[]): boolean {
  return name === 'shutdown' && words.some((word) => /^(?:-[a-zA-Z]*c[a-zA-Z]*|\/a|--show)$/.test(word));
}

function serviceControl(name: string, words: readonly string[]): string | undefined {
  const operands = words.filter((word) => !word.startsWith('-'));
  const verb = operands[0] ?? '';
  if (verb === 'isolate' || verb === 'start')
    return operands.slice(1).some((word) => targets.test(word) && word.includes('.target'))
      ? `${name} stops the machine`
      : undefined;
  return targets.test(verb) ? `${name} ${verb} stops the machine` : undefined;
}

function killsAll(words: readonly string[]): boolean {
  if (
    /^-0$/.test(words[0] ?? '') ||
    words.some((word, index) => word === '0' && /^-[sn]$|^--signal$/.test(words[index - 1] ?? ''))
  )
    return false;
  const rest = words.filter(
    (word, index) => !(index === 0 && /^-(?:\d+|(?:SIG)?[A-Z]+\d*)$/i.test(word) && words.length > 1) && word !== '--',
  );
  const signal = rest.findIndex((word) => word === '-s' || word === '-n' || word === '--signal');
  const pids = signal === -1 ? rest : [...rest.slice(0, signal), ...rest.slice(signal + 2)];
  return pids.includes('-1');
}

/** A script that starts itself by its own name, or code that forks in a loop. */
export const denyForkBomb: DenyRule = ({ command, name, words }) => {
  const text = selfStart(command.argv[0]?.text ?? '', command.argv[0]?.value ?? '', { command, name, words });
  return text === undefined ? codeBomb({ command, name, words }) : { category: 'fork-bomb', text };
};

function selfStart(written: string, value: string, { command, words }: PlainCommand): string | undefined {
  const self = /^"?\$\{?0\}?"?$|^"?\$\{?BASH_SOURCE/.test(written);
  if (!self) return undefined;
  const piped = command.input.commands.some(
    (before) => before.argv[0]?.value === value && before.argv[0]?.text === written,
  );
  return piped || (command.background && words.length === 0) ? `${written} starts itself again and again` : undefined;
}

function codeBomb({ name, words }: PlainCommand): Denial | undefined {
  if (!/^(?:python|perl|ruby|php|node)/.test(name)) return undefined;
  const bomb = words.some((word) =>
    /\b(?:while|loop|for|until)\b[\s\S]{0,80}\bfork\b|\bfork\b[^;\n{}]{0,20}\b(?:while|until)\b/.test(word),
  );
  return bomb ? { category: 'fork-bomb', text: `${name} code forks in a loop` } : undefined;
}
