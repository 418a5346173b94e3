import type { CommandWord } from './simple-command.js';

/** What a command runs besides itself: another program with its words, or shell text. */
export type InnerCommand =
  | { readonly kind: 'words'; readonly words: readonly CommandWord[]; readonly guessed: boolean }
  | { readonly kind: 'script'; readonly text: string; readonly positional: readonly CommandWord[] };

/** Shell text that is run; `positional` is what stands in its `$0`, `$1` and so on. */
export function script(text: string, positional: readonly CommandWord[] = []): InnerCommand {
  return { kind: 'script', text, positional };
}

/** A program with its words; none where there are no words. */
export function words(list: readonly CommandWord[]): readonly InnerCommand[] {
  return list.length === 0 ? [] : [{ kind: 'words', words: list, guessed: false }];
}

/** Words as the text a shell gets that puts them together with blanks. */
export function joined(list: readonly CommandWord[]): string {
  return list.map((word) => word.value).join(' ');
}
