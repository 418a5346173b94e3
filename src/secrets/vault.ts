import { LatestMap } from '../core/support/latest-map.js';
import type { CredentialKind } from './rules/rule.js';

/** The number of secrets to keep; the least recently used is forgotten first. */
const maxSecrets = 4_096;

/**
 * Keeps the secrets of marks in memory: printing, copying or serialising the object does not reveal them. Equal secrets
 * have equal marks, and no number is used twice.
 */
export class SecretVault {
  readonly #marks = new LatestMap<string, string>(maxSecrets, {
    onDrop: (_, mark) => void this.#secrets.delete(mark),
  });
  readonly #secrets = new Map<string, string>();
  #count = 0;

  /**
   * The mark for a secret, such as `[REDACTED:github-token#3]`. An undefined secret is not kept and gets a mark without
   * a number.
   */
  markOf(kind: CredentialKind, secret: string | undefined): string {
    if (secret === undefined) return `[REDACTED:${kind}]`;
    const mark = this.#marks.get(secret) ?? `[REDACTED:${kind}#${++this.#count}]`;
    this.#use(secret, mark);
    return mark;
  }

  /** The secret of a mark; undefined for a mark that this vault did not make or has forgotten. */
  secretOf(mark: string): string | undefined {
    const secret = this.#secrets.get(mark);
    if (secret !== undefined) this.#use(secret, mark);
    return secret;
  }

  #use(secret: string, mark: string): void {
    this.#marks.set(secret, mark);
    this.#secrets.set(mark, secret);
  }
}
