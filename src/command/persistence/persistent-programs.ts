import { isOption } from '../read/command-options.js';
import { toPlain } from '../read/denied-command.js';
import type { SimpleCommand } from '../read/simple-command.js';
import { isPassedOperands } from '../read-only/command-files.js';
import { persistedByGit } from './persistent-git.js';

/** `form` is what the words behind the program look like, joined by blanks, when it leaves something that lasts. */
interface PersistingProgram {
  readonly form: RegExp;
  readonly what: string;
}

type Row = readonly [names: string, form: RegExp, what: string];

const timed = 'it is run again and again, or later, by the machine';
const starts = 'it is started by the machine or at a login from then on';
const accounts = 'it changes who may log in and what they run';
const settings = 'its settings are obeyed by every later call';
const hooks = 'git runs what it installs';
const rights = 'others may run it with the rights of its owner';
const kernel = 'the kernel runs what it loads or names';

const rows: readonly Row[] = [
  ['crontab fcrontab incrontab', /^(?!(?:.* )?(?:-[lrTV][a-z]*|--(?:help|version))(?: |$))/s, timed],
  ['at', /^(?!(?:.* )?-[lrdcV](?: |$))/s, timed],
  ['batch', /^(?!-V$)/, timed],
  ['schtasks', /(?:^| )\/(?:create|change)(?: |$)/i, timed],
  [
    'systemd-run',
    /^(?:.*--(?:on-|timer|path|socket)|(?!(?:(?:-[puEHM]|--(?:property|unit|setenv|uid|gid|slice|description|nice|working-directory|host|machine)) \S+ |(?!(?:-[puEHM]|--(?:property|unit|setenv|uid|gid|slice|description|nice|working-directory|host|machine)) )-\S+ )*(?:--(?:scope|wait|pty|pipe|shell|help|version)|-[dqrGStP]*[tPS])(?: |$)))/s,
    timed,
  ],
  [
    'systemctl',
    verbs(
      'enable|reenable|preset|preset-all|link|edit|set-default|add-wants|add-requires|set-property|set-environment|import-environment|unmask',
    ),
    starts,
  ],
  ['loginctl', verbs('enable-linger'), starts],
  ['launchctl', verbs('load|bootstrap|enable|submit|setenv|config'), starts],
  ['update-rc.d', verbs(String.raw`\S+ (?:defaults|enable|start)`), starts],
  ['chkconfig', /(?:^| )(?:--add|on|--level)(?: |$)/, starts],
  ['rc-update', /(?:^| )(?:add|-a)(?: |$)/, starts],
  ['pm2', verbs('startup|save'), starts],
  ['brew', verbs('services (?:start|restart)'), starts],
  ['sc', /(?:^| )(?:create|config)(?: |$)/i, starts],
  ['reg', /^add .*\\(?:run|runonce|winlogon|image file execution options|services)(?:\\| |$)/is, starts],
  ['defaults', /(?:^| )write .*(?:login|logout)/is, starts],
  ['docker podman nerdctl', /(?:^| )--restart[= ](?:always|unless-stopped|on-failure)/, starts],
  [
    'update-alternatives alternatives',
    /(?:^| )--(?:install|set|config|slave)(?: |$)/,
    'it decides which program a name means',
  ],
  [
    'chsh usermod useradd adduser groupmod groupadd gpasswd chpasswd newusers vipw vigr',
    /^(?!--?(?:help|version|h|D)$)/,
    accounts,
  ],
  ['passwd', /^(?!-S|--(?:status|help)(?: |$))/, accounts],
  ['visudo', /^(?!(?:.* )?(?:-[a-zA-Z]*c|--check|-V|--help)(?: |$))/s, accounts],
  ['ssh-copy-id', /^(?!(?:.* )?-[a-zA-Z]*[nh](?: |$))/s, accounts],
  ['chmod', /(?:^| )(?:(?=\S*[+=][rwxXt]*s)[ugoarwxXst+=,-]+|[+=]?0*[2-7][0-7]{3})(?: |$)/, rights],
  [
    'install ginstall',
    /(?:^| )(?:-[a-zA-Z]*m ?|--mo[de]*[= ])(?:(?=\S*[+=][rwxXt]*s)[ugoarwxXst+=,-]+|[+=]?0*[2-7][0-7]{3})(?: |$)/,
    rights,
  ],
  ['setcap', /^(?!(?:-[rv]|--help)(?: |$))/, rights],
  ['insmod kldload kextload kmutil', /\S/, kernel],
  ['modprobe', /^(?!(?:.* )?(?:-[rnDcV]|--(?:remove|dry-run|show\S*|help|version|showconfig))(?: |$))/s, kernel],
  ['sysctl', /(?:^| )[\w./]*(?:core_pattern|kernel[./]modprobe|hotplug|uevent_helper)=/, kernel],
  ['setx', /\S/, settings],
  ['npm pnpm yarn', verbs('(?:config|c) (?:set|edit)|set|pkg set (?:\\S+ )*scripts[.=\\[]\\S*'), settings],
  ['pip pip3 uv', verbs('config (?:set|edit)'), settings],
  ['go', /^env (?:.* )?-w(?: |$)/s, settings],
  ['conda mamba micromamba', /(?:^| )config (?:.* )?--(?:add|set|append|prepend|stdin)(?: |$)/s, settings],
  ['bundle', verbs('config set'), settings],
  ['gem', /^sources? (?:.* )?(?:-a|--add)(?: |$)/s, settings],
  ['poetry composer', /^(?:-\S+ |global )*config (?:-\S+ )*(?!-)\S+ \S/, settings],
  ['gh', verbs('alias (?:set|import)|config set|auth setup-git'), settings],
  ['direnv', verbs('allow|permit|grant|edit'), settings],
  ['mise', verbs('trust'), settings],
  [
    'code code-insiders codium cursor windsurf',
    /(?:^| )--install-extension(?:[= ]|$)/,
    'the editor runs what it installs',
  ],
  [
    'claude codex gemini qwen cursor-agent opencode copilot',
    verbs('(?:mcp|plugin|extensions) (?:add\\S*|install|link)|config (?:set|add)'),
    'an agent obeys it from then on',
  ],
  ['pre-commit', verbs('install|init-templatedir'), hooks],
  ['lefthook', verbs('install|add'), hooks],
  ['husky', /^(?!--(?:help|version)$|uninstall$)/, hooks],
  ['simple-git-hooks', /^/, hooks],
];

/** Programs that write down what is run or obeyed later, by themselves and not in a file they are given. */
const persistingPrograms: ReadonlyMap<string, PersistingProgram> = new Map(
  rows.flatMap(([names, form, what]) => names.split(' ').map((name) => [name, { form, what }] as const)),
);

/** Programs that start one another, as far as they are followed. */
const maxRunners = 8;

/** Programs that start another, with the words that may stand before its name. */
const runners: ReadonlyMap<string, RegExp> = new Map([
  ...'npx bunx pnpx uvx'.split(' ').map((name) => [name, /^(?!)/] as const),
  ...'npm pnpm yarn bun'.split(' ').map((name) => [name, /^(?:exec|dlx|x|run)$/] as const),
  ...'uv pipx poetry pipenv pdm hatch rye bundle mise'.split(' ').map((name) => [name, /^(?:tool|run|exec)$/] as const),
  ['runuser', /^[\w.-]+$/],
]);

/** What a command leaves for others to run or to obey, in words; undefined where nothing tells of it. */
export function persistedBy(command: SimpleCommand): string | undefined {
  const { name, words, command: plain } = toPlain(command);
  if (name === 'git') return persistedByGit(plain.argv.slice(1), isPassedOperands(command));
  return persistedByWords(name, words);
}

function persistedByWords(name: string, words: readonly string[], depth = 0): string | undefined {
  const [inner, ...given] = depth < maxRunners ? startedBy(name, words) : [];
  if (inner !== undefined) return persistedByWords(inner, given, depth + 1);
  const known = name.replace(/(?<=.)@.*$/s, '');
  const program = persistingPrograms.get(known);
  // A blank inside of a word is no border between two.
  const line = words.map((word) => word.replaceAll(/\s/g, '_')).join(' ');
  return program?.form.test(line) === true ? `${known}: ${program.what}` : undefined;
}

/** The words of the program that a runner starts; none where it starts none that is known here. */
function startedBy(name: string, words: readonly string[]): readonly string[] {
  if (/^python[\d.]*$|^py$/.test(name)) {
    const at = words.indexOf('-m');
    return at === -1 || !words.slice(0, at).every(isOption)
      ? []
      : [(words[at + 1] ?? '').replaceAll('_', '-'), ...words.slice(at + 2)];
  }
  const verbsOf = runners.get(name);
  if (verbsOf === undefined) return [];
  const at = words.findIndex((word) => persistingPrograms.has(word.replace(/(?<=.)@.*$/s, '')));
  const before = words.slice(0, Math.max(at, 0)).filter((word) => !isOption(word));
  return at !== -1 && before.every((word) => verbsOf.test(word)) ? words.slice(at) : [];
}

/** One of these words, behind options that may take a word each, which may stand between the words as well. */
function verbs(names: string): RegExp {
  const options = String.raw`(?:-\S+ (?:[^-\s]\S* )?)*`;
  return new RegExp(`^${options}(?:${names.replaceAll(' ', ` ${options.slice(0, -1)}{0,100}`)})(?: |$)`);
}
