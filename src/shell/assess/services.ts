import type { CommandWord, SimpleCommand } from '../parse/simple-command.js';
import type { Arguments } from '../programs/arguments.js';
import { isOption } from '../programs/words.js';

const timed = 'it is run again and again, or later, by the machine';
const starts = 'it is started by the machine or at a login from then on';
const accounts = 'it changes who may log in and what they run';
const settings = 'its settings apply to every later call';
const hooks = 'git runs what it installs';
const rights = 'others may run it with the rights of its owner';
const kernel = 'the kernel runs what it loads or names';
const agent = 'agents follow it from then on';
const git = 'git applies its settings from then on';

/** Patterns that the words of a call match, and do not match, if it configures a service, a login or later calls. */
type Row = readonly [programs: string, why: string, holds?: string, unless?: string];

// biome-ignore format: a table
const rows: readonly Row[] = [
  ['crontab|fcrontab|incrontab|at|batch', timed, '', '(?<!\\S)(?:-[lrTVdc]+u?|--help|--version)(?!\\S)'],
  ['schtasks', timed],
  ['systemd-run', timed, '(?<!\\S)--(?:on|timer|path|socket)-'],
  ['systemd-run', timed, '', '(?<!\\S)(?:--(?:scope|wait|pty|pipe|shell|help|version)|-[tSP])(?!\\S)'],
  ['git', timed, '^maintenance (?:start|register)'],
  ['systemctl', starts,
    '(?<!\\S)(?:(?:re)?enable|preset|link|edit|set-default|add-wants|add-requires|set-property|unmask|(?:set|import)-environment)(?![^\\s-])'],
  ['loginctl', starts, '(?<!\\S)enable-linger'],
  ['launchctl', starts, '(?<!\\S)(?:load|bootstrap|enable|submit|setenv|config)(?!\\S)'],
  ['update-rc\\.d|chkconfig', starts, '', '(?<!\\S)--list'],
  ['rc-update', starts, '(?<!\\S)(?:add|-a)(?!\\S)'],
  ['pm2', starts, '^(?:startup|save)'],
  ['sc', starts, '^(?:create|config)(?!\\S)'],
  ['reg', starts, '^add'],
  ['brew', starts, '^services (?:re)?start'],
  ['docker|podman|nerdctl', starts, '(?<!\\S)--restart(?!=no(?!\\S))'],
  ['update-alternatives|alternatives', settings, '(?<!\\S)--(?:install|set|config|slave)'],
  ['chsh|usermod|useradd|adduser|groupmod|groupadd|gpasswd|chpasswd|newusers|vipw|vigr|passwd|visudo', accounts, '', '(?<!\\S)(?:-[hDScV]|--(?:status|check|help|version))(?!\\S)'],
  ['ssh-copy-id', accounts, '', '(?<!\\S)-[nh](?!\\S)'],
  ['setcap', rights, '', '(?<!\\S)(?:-[rv]|--help)'],
  ['modprobe|insmod|kldload|kextload|kmutil', kernel, '', '(?<!\\S)(?:-[rnDcV]|--(?:remove|dry-run|show-depends|help|version|showconfig))(?!\\S)'],
  ['sysctl', kernel, '(?:core_pattern|kernel[./]modprobe|hotplug|uevent_helper)='],
  ['setx', settings],
  ['defaults', settings, '^write'],
  ['npm|pnpm|yarn', settings, '^(?:(?:c|config) (?:set|edit)|set|pkg set)(?!\\S)'],
  ['go', settings, '^env .*(?<!\\S)-[wu](?!\\S)'],
  ['conda|mamba|micromamba', settings, '^config .*--(?:add|set|append|prepend|stdin)'],
  ['poetry|composer', settings, '^(?:global )?config (?!-)\\S+ (?!-)\\S'],
  ['pip|pip3|uv|bundle', settings, '^config (?:set|edit)'],
  ['gem', settings, '^sources? .*(?<!\\S)(?:-a|--add)(?!\\S)'],
  ['mise', settings, '^trust'],
  ['direnv', settings, '^(?:allow|permit|grant|edit)'],
  ['gh', settings, '^(?:alias (?:set|import)|config set|auth setup-git|extension install)'],
  ['code|code-insiders|codium|cursor|windsurf', settings, '(?<!\\S)--install-extension'],
  ['pre-commit|lefthook', hooks, '^(?:install|init-templatedir|add)'],
  ['husky', hooks, '', '^uninstall|(?<!\\S)--(?:version|help)'],
  ['pnpm|yarn', hooks, '^husky'],
  ['simple-git-hooks', hooks],
  ['claude|codex|gemini|qwen|cursor-agent|opencode|copilot', agent, '^(?:(?:mcp|plugin|extensions) (?:add|add-json|install|link)|config (?:set|add))(?!\\S)'],
  ['git', git, '^config (?:edit|rename-section)|^config .*(?<!\\S)(?:-e|--edit|--rename-section)(?!\\S)'],
  ['git', git, '^(?:clone|init) .*(?<!\\S)--templ'],
];
const services = rows.map(
  ([programs, why, holds = '', unless = '(?!)']) =>
    [new RegExp(`^(?:${programs})$`), why, new RegExp(holds), new RegExp(unless)] as const,
);

/** The reason why a command affects a service, a login or later calls; undefined if it is not in the list. */
export function describeServiceUse({ argv }: SimpleCommand, read: Arguments<CommandWord>): string | undefined {
  const [program = '', ...subcommands] = read.name.split(' ');
  const found = services.filter(([programs]) => programs.test(program));
  if (found.length === 0) return undefined;
  const own = argv.slice(1, read.started.find(({ at }) => at > 0)?.at).map(({ value }) => value);
  const operands = read.values.flatMap(({ option, word }) => (option === undefined ? [word.value] : []));
  const words = [...subcommands, ...operands, ...own.filter(isOption)].join(' ');
  const row = found.find(([, , holds, unless]) => holds.test(words) && !unless.test(words));
  return row && `${program}: ${row[1]}`;
}
