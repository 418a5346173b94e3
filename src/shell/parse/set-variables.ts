import type { Arguments } from '../programs/arguments.js';
import type { CommandWord, SimpleCommand } from './simple-command.js';

/** Variables whose values are run as programs. */
export const startingPrograms =
  /^(?:.*(?:COMMAND|PAGER|EDITOR|ASKPASS|BROWSER|_RSH)|GIT_SSH|GIT_EXTERNAL_DIFF|GIT_CONFIG_VALUE_\d+|LESS(?:OPEN|CLOSE)|VISUAL)$/;

/** The variables that are set for a command, or by it (`env NAME=value program`). */
export function setVariables(
  { assignments }: SimpleCommand,
  { values }: Arguments<CommandWord>,
): readonly { readonly name: string; readonly value: string }[] {
  return [
    ...assignments.map(({ name, value }) => ({ name, value: value.value })),
    ...values.flatMap(({ kind, word }) => {
      const [, name, value] = (kind === 'variable' && /^(\w+)\+?=(.*)/s.exec(word.value)) || [];
      return name === undefined || value === undefined ? [] : [{ name, value }];
    }),
  ];
}
