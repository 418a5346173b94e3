import { secretStyleOf } from './credential-key.js';
import { isSecretValue, type SecretStyle, type ValueSetting } from './secret-value.js';

const maxRemembered = 256;
/** Longer values hardly recur. */
const maxValueChars = 64;

/** Judges names and values, and remembers some of it while one text is scanned, since they recur. */
export class Judgement {
  readonly #styles = new Map<string, SecretStyle | 'none'>();
  readonly #verdicts = new Map<string, boolean>();
  #style: SecretStyle | undefined;
  #setting: ValueSetting | undefined;

  /** What a name promises. */
  styleOf(name: string): SecretStyle | undefined {
    let style = this.#styles.get(name);
    if (style === undefined) {
      style = secretStyleOf(name) ?? 'none';
      if (this.#styles.size < maxRemembered) this.#styles.set(name, style);
    }
    return style === 'none' ? undefined : style;
  }

  /** Whether the value of a name with such a promise is a secret. */
  isSecret(value: string, style: SecretStyle, setting: ValueSetting): boolean {
    if (value.length > maxValueChars) return isSecretValue(value, style, setting);
    // What recurs has a name of the same sort and stands in the same setting.
    if (this.#setting !== setting || this.#style !== style) this.#verdicts.clear();
    this.#setting = setting;
    this.#style = style;
    const verdict = this.#verdicts.get(value) ?? isSecretValue(value, style, setting);
    if (this.#verdicts.size < maxRemembered) this.#verdicts.set(value, verdict);
    return verdict;
  }
}
