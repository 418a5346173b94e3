/** A Unicode property as ECMAScript writes it, and whether the characters without it are meant. */
export interface UnicodeProperty {
  readonly name: string;
  readonly negated: boolean;
}

const keys: Readonly<Record<string, string>> = {
  gc: 'General_Category',
  generalcategory: 'General_Category',
  sc: 'Script',
  script: 'Script',
  scx: 'Script_Extensions',
  scriptextensions: 'Script_Extensions',
};

/**
 * Finds a property by what stands in the braces of `\\p{…}`: a binary property, a general category or a script, or
 * `key=value`, `key:value`, `key!=value`. Case, spaces, hyphens, underscores and a leading `is` make no difference (UAX
 * #44, LM3) as long as the words are kept apart. Undefined where ECMAScript has no such property, for instance for ages
 * and blocks.
 */
export function unicodeProperty(text: string): UnicodeProperty | undefined {
  const [key = '', value] = text.split(/!?[=:]/);
  const prefix = value === undefined ? undefined : keys[key.toLowerCase().replaceAll(/[ _-]/g, '')];
  if (value !== undefined && prefix === undefined) return undefined;
  const names = spellings(value ?? key);
  const candidates =
    prefix === undefined
      ? [...names, ...names.map((name) => `Script=${name}`)]
      : names.map((name) => `${prefix}=${name}`);
  const name = candidates.find(isProperty);
  return name === undefined ? undefined : { name, negated: text.includes('!=') };
}

/**
 * The name as it is, and as the standard may write it: `Old_Italic`, `ASCII_Hex_Digit`, `space`, `SignWriting`,
 * `Lowercase`.
 */
function spellings(name: string): string[] {
  const bare = name.trim().replace(/^is[ _-]?/i, '');
  return [name, bare].flatMap((each) => {
    const words = each.toLowerCase().split(/[ _-]+/);
    const titles = words.map(title);
    const [first = '', ...others] = words;
    const inCapitals = [first.toUpperCase(), ...others.map(title)].join('_');
    return [each, titles.join('_'), inCapitals, words.join('_'), titles.join(''), title(words.join(''))];
  });
}

function title(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function isProperty(name: string): boolean {
  // The script of what is no character is known to ECMAScript alone.
  if (!/^[A-Za-z0-9_=]+$/.test(name) || /=(?:Zzzz|Unknown)$/.test(name)) return false;
  try {
    // The flag `v` would take properties of strings too.
    return new RegExp(`\\p{${name}}`, 'u').source !== '';
  } catch {
    return false;
  }
}
