import { isOption } from '../read/command-options.js';
import type { CommandWord } from '../read/simple-command.js';

/**
 * Settings that name a program, a file with more settings, or whom git trusts. Section and last part count in any
 * letter case.
 */
const obeyedKey =
  /^(?:core\.(?:hookspath|sshcommand|pager|editor|fsmonitor|askpass|gitproxy|attributesfile|alternaterefscommand|worktree)|alias\..+|include\.path|includeif\..*\.path|pager\..+|sequence\.editor|interactive\.difffilter|diff\.external|diff\..+\.(?:command|textconv)|(?:difftool|mergetool|browser|man|guitool)\..+\.(?:cmd|path)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?(?:program|defaultkeycommand)|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs)|submodule\..+\.update|url\..+\.(?:push)?insteadof|init\.templatedir|sendemail\.(?:.+\.)?\w*(?:cmd|server)|trailer\..+\.(?:command|cmd)|tar\..+\.command|hook\..+\.command|protocol\.(?:.+\.)?allow|safe\.directory|instaweb\.\w+|web\.browser|http\.(?:.+\.)?sslverify)$/is;
const obeyedSection =
  /^(?:core|alias|include|includeif|pager|sequence|interactive|diff|difftool|mergetool|merge|filter|credential|gpg|hook|url|protocol|safe|trailer|remote|submodule)(?:\.|$)/i;

/** Values that switch something of git's own on or off. */
const plainSwitch = /^(?:true|false|yes|no|on|off|0|1|)$/i;
const switchable = /^(?:core\.fsmonitor|pager\..+|sequence\.editor)$/i;
/**
 * Subcommands and options that start no program and write no file, whatever stands with them; nothing else is a plain
 * alias.
 */
const plainAlias =
  /^(?:status|log|diff|show|branch|checkout|switch|commit|add|stash(?: (?:list|show|pop|apply|push))?|pull|fetch|push|reset|restore|rev-parse|remote|tag|blame|describe|shortlog|reflog|cherry-pick|merge|ls-files)(?: (?:--(?:oneline|graph|decorate|all|short|branch|stat|patch|cached|staged|name-only|name-status|amend|no-edit|hard|soft|mixed|abbrev-commit|first-parent|follow|reverse|no-merges|merges|tags|prune|ff-only|no-ff|verbose|force-with-lease|color|word-diff|show-toplevel|abbrev-ref|date=(?:relative|short|iso|local|human)|pretty=(?:oneline|short|medium|full|fuller)|max-count=\d+)|-(?:s|sb|p|v|vv|a|m|am|b|d|n ?\d+|\d+|A|u)|HEAD(?:[~^]\d*)?|--))*$/;
/** Addresses of which git runs a part. */
const runningAddress = /^ext::|^fd::|^-/;

/** Options of `git` itself and of `git config` that take the next word, abbreviated ones too. */
const valued =
  /^(?:-[Ccft]|--git-d[ir]*|--work-t[re]*|--names[pace]*|--super-p[refix]*|--attr-s[ource]*|--config-e[nv]*|--fi?l?e?|--bl[ob]*|--ty?p?e?|--de[fault]*|--com[ment]*|--va?l?u?e?|--url?)$/;

const readingForms = new Set(['get', 'list', 'unset', 'remove-section', 'get-color', 'get-colorbool']);
const forms = new Set([...readingForms, 'set', 'edit', 'rename-section']);
const readingOption = /^(?:-l|--list|--get.*|--unset.*|--remove-section)$/;
/** Subcommands that make a folder or a file where their operands say. */
const makers = new Set(['clone', 'init', 'worktree', 'bundle', 'submodule', 'mv', 'archive', 'format-patch']);

/**
 * What a call of git writes down that is run or obeyed by a later call of anybody; undefined for everything else.
 * `isPassedMore` tells that more words come while it runs.
 */
export function persistedByGit(words: readonly CommandWord[], isPassedMore = false): string | undefined {
  const { operands, rest } = divided(words);
  const [subcommand, ...given] = operands;
  switch (subcommand?.value) {
    case 'config':
      return persistedSetting(divided(rest, true), isPassedMore);
    case 'maintenance':
      return /^(?:start|register)$/.test(given[0]?.value ?? '')
        ? 'git maintenance runs by itself from then on'
        : undefined;
    case 'init':
    case 'clone':
      return persistedByTemplate(words.map(({ value }) => value)) ?? persistedAddress(given);
    case 'remote':
      return /^(?:add|set-url)$/.test(given[0]?.value ?? '') ? persistedAddress(given) : undefined;
    case 'submodule':
      return /^(?:add|set-url)$/.test(given[0]?.value ?? '') ? persistedAddress(given) : undefined;
    default:
      return undefined;
  }
}

/** The folders and files that a call of git makes where its operands say. */
export function madeByGit(words: readonly CommandWord[]): readonly string[] {
  const [subcommand, ...given] = divided(words).operands;
  return makers.has(subcommand?.value ?? '') ? given.map(({ value }) => value) : [];
}

function persistedSetting({ operands: given, options }: DividedWords, isPassedMore: boolean): string | undefined {
  if (options.some((option) => readingOption.test(option))) return undefined;
  const form = given[0]?.value ?? '';
  if (readingForms.has(form) && (given.length > 1 || form === 'list')) return undefined;
  if (form === 'edit' || options.some((option) => /^(?:-e|--ed[it]*)$/.test(option)))
    return 'git config opens its settings, which name programs that git runs';
  const isRenaming = form === 'rename-section' || options.some((option) => option.startsWith('--ren'));
  if (isRenaming) return persistedSection(given.at(-1));
  // A key alone is read, unless its value comes later.
  return first(isPassedMore ? given : given.slice(0, -1), (key, index) => persistedValue(key, given[index + 1]));
}

function first<Item>(
  list: readonly Item[],
  judge: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of list.entries()) {
    const found = judge(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function persistedValue(key: CommandWord, value: CommandWord | undefined): string | undefined {
  if (key.kind === 'computed') return 'git config may name a program that git runs from then on';
  const isKnown = value !== undefined && value.kind !== 'computed';
  if (/\.(?:push)?url$/i.test(key.value))
    return isKnown && !runningAddress.test(value.value) ? undefined : obeyed(key.value);
  if (!obeyedKey.test(key.value)) return undefined;
  if (isKnown && switchable.test(key.value) && plainSwitch.test(value.value)) return undefined;
  if (isKnown && /^alias\./i.test(key.value) && plainAlias.test(value.value)) return undefined;
  return obeyed(key.value);
}

function persistedSection(section: CommandWord | undefined): string | undefined {
  if (section === undefined) return undefined;
  return section.kind === 'computed' || obeyedSection.test(section.value) ? obeyed(section.value) : undefined;
}

function obeyed(key: string): string {
  return `git runs or trusts what ${key} says from then on`;
}

function persistedAddress(given: readonly CommandWord[]): string | undefined {
  return given.some(({ value }) => runningAddress.test(value)) ? 'git runs what this address names' : undefined;
}

function persistedByTemplate(options: readonly string[]): string | undefined {
  if (options.some((option) => /^--te[mplate]*(?:=|$)/.test(option))) return 'git copies the hooks of a template';
  const settings = options.flatMap((option, index) => {
    if (/^(?:-c|--co[nfig]*)$/.test(options[index - 1] ?? '')) return [option];
    return /^(?:--co[nfig]*=|-c)(.+)$/s.exec(option)?.[1] ?? [];
  });
  const setting = settings.find((each) => obeyedKey.test(each.split('=', 1)[0] ?? ''));
  return setting === undefined ? undefined : obeyed(setting.split('=', 1)[0] ?? '');
}

interface DividedWords {
  readonly operands: readonly CommandWord[];
  readonly options: readonly string[];
  /** What stands behind the first operand. */
  readonly rest: readonly CommandWord[];
}

/**
 * Options and operands, the words that options take left out of both. `endsEarly`: what stands behind the first operand
 * is no option, except where that is a word of its own such as `set`.
 */
function divided(words: readonly CommandWord[], endsEarly = false): DividedWords {
  const operands: CommandWord[] = [];
  const options: string[] = [];
  let rest: readonly CommandWord[] = [];
  let isTaken = false;
  let isOver = false;
  for (const [index, word] of words.entries()) {
    if (isTaken) isTaken = false;
    else if (isOver || word.kind === 'computed' || !isOption(word.value)) {
      if (operands.length === 0) rest = words.slice(index + 1);
      operands.push(word);
      isOver ||= endsEarly && !forms.has(word.value);
    } else if (word.value === '--') isOver = true;
    else {
      options.push(word.value);
      isTaken = valued.test(word.value);
    }
  }
  return { operands, options, rest };
}
