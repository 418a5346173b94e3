import type { CredentialKind } from './rules/rule.js';

/** How many secrets are kept; the one that was not used for the longest time is forgotten first. */
const maxSecrets = 4_096;

/**
 * Keeps the secrets that marks stand for, for as long as it lives and in memory only: nothing that prints, copies or
 * serialises an object reaches them. The same secret has the same mark, and a number is never given twice.
 */
export class SecretVault {
  readonly #marks = new Map<string, string>();
  readonly #secrets = new Map<string, string>();
  #count = 0;

  /**
   * The mark for a secret, such as `[REDACTED:github-token#3]`. What is undefined cannot be kept and gets a mark
   * without a number.
   */
  markOf(kind: CredentialKind, secret: string | undefined): string {
    if (secret === undefined) return `[REDACTED:${kind}]`;
    const mark = this.#marks.get(secret) ?? `[REDACTED:${kind}#${++this.#count}]`;
    this.#use(secret, mark);
    if (this.#marks.size > maxSecrets) this.#forgetOldest();
    return mark;
  }

  /** The secret that a mark stands for; undefined for a mark that this vault never gave or has forgotten. */
  secretOf(mark: string): string | undefined {
    const secret = this.#secrets.get(mark);
    if (secret !== undefined) this.#use(secret, mark);
    return secret;
  }

  #use(secret: string, mark: string): void {
    this.#marks.delete(secret);
    this.#marks.set(secret, mark);
    this.#secrets.set(mark, secret);
  }

  #forgetOldest(): void {
    const [[secret, mark] = []] = this.#marks;
    if (secret === undefined || mark === undefined) return;
    this.#marks.delete(secret);
    this.#secrets.delete(mark);
  }
}
