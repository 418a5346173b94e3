/**
 * A parsed search pattern. The syntax is that of Rust's `regex` crate (docs.rs/regex, "Syntax"), which ripgrep uses.
 */
export type PatternNode =
  | { readonly kind: 'literal'; readonly codePoint: number; readonly ignoreCase: boolean }
  | { readonly kind: 'dot'; readonly matchesNewline: boolean }
  | { readonly kind: 'class'; readonly set: CharacterSet; readonly ignoreCase: boolean }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | {
      readonly kind: 'repeat';
      readonly node: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly nodes: readonly PatternNode[] };

/** A place between characters. */
export type Assertion =
  | 'line_start'
  | 'line_end'
  | 'text_start'
  | 'text_end'
  | 'word'
  | 'no_word'
  | 'word_start'
  | 'word_end'
  | 'word_start_half'
  | 'word_end_half';

/** A set of characters. */
export type CharacterSet =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'perl'; readonly name: 'd' | 's' | 'w'; readonly negated: boolean }
  | { readonly kind: 'property'; readonly name: string; readonly negated: boolean }
  | { readonly kind: 'union'; readonly sets: readonly CharacterSet[]; readonly negated: boolean }
  | {
      readonly kind: 'operation';
      readonly operator: '&&' | '--' | '~~';
      readonly left: CharacterSet;
      readonly right: CharacterSet;
    };

/** Why a pattern cannot be used, in words for the model. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}
