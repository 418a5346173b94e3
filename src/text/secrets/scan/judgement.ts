import { secretStyleOf } from './credential-key.js';
import { isSecretValue, type SecretStyle, type ValueSetting } from './secret-value.js';

const maxRemembered = 256;
/** Longer values hardly recur. */
const maxValueChars = 64;

/** Judges names and values, and remembers some of it while one text is scanned, since they recur. */
export class Judgement {
  readonly #styles = new Map<string, SecretStyle | 'none'>();
  readonly #verdicts = { password: new Map<string, boolean>(), token: new Map<string, boolean>() };
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
    const known = this.#verdicts[style];
    // What recurs stands in the same setting.
    if (this.#setting !== setting) for (const each of Object.values(this.#verdicts)) each.clear();
    this.#setting = setting;
    const verdict = known.get(value) ?? isSecretValue(value, style, setting);
    if (known.size < maxRemembered) known.set(value, verdict);
    return verdict;
  }
}
