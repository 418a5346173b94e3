import { secretStyleOf } from './credential-key.js';
import { isSecretValue, type SecretStyle, type ValueSetting } from './secret-value.js';

const maxRemembered = 256;
/** Longer values hardly recur. */
const maxValueChars = 64;

/** Judges names and values, and remembers some of it while one text is scanned, since they recur. */
export class JudgementMemory {
  readonly #styles = new Map<string, SecretStyle | undefined>();
  readonly #verdicts = new Map<string, Map<string, boolean>>();

  /** What a name promises. */
  styleOf(name: string): SecretStyle | undefined {
    if (this.#styles.has(name)) return this.#styles.get(name);
    const style = secretStyleOf(name);
    if (this.#styles.size < maxRemembered) this.#styles.set(name, style);
    return style;
  }

  /** Whether the value of a name with such a promise is a secret. */
  isSecret(value: string, style: SecretStyle, setting: ValueSetting): boolean {
    if (value.length > maxValueChars) return isSecretValue(value, style, setting);
    const verdicts = this.#verdictsOf(style === 'password' ? `password ${setting}` : setting);
    const known = verdicts.get(value);
    if (known !== undefined) return known;
    const verdict = isSecretValue(value, style, setting);
    if (verdicts.size < maxRemembered) verdicts.set(value, verdict);
    return verdict;
  }

  #verdictsOf(kind: string): Map<string, boolean> {
    const verdicts = this.#verdicts.get(kind) ?? new Map<string, boolean>();
    if (verdicts.size === 0) this.#verdicts.set(kind, verdicts);
    return verdicts;
  }
}
