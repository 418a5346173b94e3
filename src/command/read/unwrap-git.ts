import { isOption } from './command-options.js';
import { type InnerCommand, script, words } from './inner-command.js';
import type { SimpleCommand } from './simple-command.js';

/**
 * The shell texts a git command line holds: aliases and programs in settings, `rebase --exec`, filters, `submodule
 * foreach`, `bisect run`.
 */
export function gitCommands({ argv }: SimpleCommand): readonly InnerCommand[] {
  const values = argv.slice(1).map((word) => word.value);
  const texts = values.flatMap((value, index) => {
    const previous = values[index - 1] ?? '';
    const setting =
      /^(?:alias\.[^=]*|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|hookspath|gitproxy)|sequence\.editor|pager\.[^=]*|diff\.(?:external|[^=]*\.(?:command|textconv))|credential\.[^=]*|filter\.[^=]*|merge[^=]*\.(?:cmd|driver)|gpg[^=]*program|uploadpack[^=]*)(?:=(.*))?$/is.exec(
        value,
      );
    if (setting) return [(setting[1] ?? values[index + 1] ?? '').replace(/^!/, '')];
    if (
      /^(?:--exec|-x|--tree-filter|--index-filter|--msg-filter|--env-filter|--commit-filter|--extcmd|--upload-pack|--receive-pack)$/.test(
        previous,
      )
    )
      return [value];
    const attached =
      /^(?:--exec|--extcmd|--(?:tree|index|msg|env|commit)-filter|--upload-pack|--receive-pack|--open-files-in-pager|-O)=?(.+)$/s.exec(
        value,
      );
    return attached?.[1] !== undefined ? [attached[1]] : [];
  });
  const foreach = values.indexOf('foreach');
  if (values.includes('submodule') && foreach !== -1)
    texts.push(
      values
        .slice(foreach + 1)
        .filter((value) => !isOption(value) || foreach === -1)
        .join(' '),
    );
  const run = values.indexOf('run');
  const bisect = values.includes('bisect') && run !== -1 ? words(argv.slice(run + 2)) : [];
  return [...texts.map((text) => script(text)), ...bisect];
}
