import { looksRandom } from '../../core/text/looks-random.js';

/**
 * Variables that every child inherits: locations, language, network settings. No credentials, except passwords in proxy
 * URLs.
 */
const passedNames = new Set(
  `PATH HOME USER LOGNAME SHELL HOSTNAME TZ LANG LANGUAGE TMPDIR TMP TEMP COLUMNS LINES
   HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY
   SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
   PIP_CERT CARGO_HTTP_CAINFO
   JAVA_HOME GOPATH GOROOT GOPROXY CARGO_HOME RUSTUP_HOME NVM_DIR NVM_BIN VOLTA_HOME PNPM_HOME PYENV_ROOT
   VIRTUAL_ENV CONDA_PREFIX
   RBENV_ROOT GEM_HOME DOTNET_ROOT ANDROID_HOME ANDROID_SDK_ROOT NPM_CONFIG_REGISTRY NPM_CONFIG_CACHE
   SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES USERPROFILE
   HOMEDRIVE HOMEPATH`
    .split(/\s+/)
    .filter(Boolean),
);
const passedPrefixes = /^(?:LC_|XDG_)/;

/** Disables prompts, pagers, editors and colours. */
const quietDefaults: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  CI: '1',
  PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_PAGER: 'cat',
  GH_PAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_TERMINAL_PROMPT: '0',
  GCM_INTERACTIVE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  HOMEBREW_NO_AUTO_UPDATE: '1',
  PIP_NO_INPUT: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  npm_config_yes: 'true',
  npm_config_update_notifier: 'false',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  AWS_PAGER: '',
};

const secretNames =
  /KEY(?!BOARD|MAP|RING)|TOKEN|SECRET|PASS(?:W|PHRASE|$)|.PWD$|CREDENTIAL|AUTH(?!OR)|COOKIE|SIGNATURE|PRIVATE|WEBHOOK|DSN$|DATABASE_URL|CONNECTION_STRING|MNEMONIC|SEED_?PHRASE|(?:^|_)(?:PAT|JWT|SALT|SK|OTP)(?:_|$)/i;
const harmlessNames = /^OLDPWD$|_(?:PATH|FILE|DIR|HOME|SOCK|ID|TYPE|NAME|MODE)$/i;
/** Words, paths and small numbers: scrubbing these everywhere would hide harmless text. */
const harmlessValues = /^(?:[a-z]{1,10}|\d{1,9}|[/~].*)$/i;
/** Names of variables whose values look generated but are public. */
const publicNames = /SHA|COMMIT|HASH|DIGEST|INTEGRITY|VERSION|COLORS|REF$|PUBLIC/i;
/** One word with upper case, lower case and digits, which is probably generated. */
const mixedValue = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w.~+/=-]{20,}$/;
const passwordInAddress = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i;
const minSecretChars = 8;

/** The environment of a child process, and its secret values. */
export interface ChildEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Names of the variables inherited from the host. Their values may be meaningful on this machine only. */
  readonly inherited: ReadonlySet<string>;
  /**
   * The secret values: values of variables with secret names, even if the child does not get them; values of other
   * variables that the child does not get, if they look generated; passwords in URLs. The computation takes longer than
   * starting a process, so call it while the child runs.
   */
  secrets(): readonly string[];
}

/** Environment variables, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Creates the environments of child processes; caches which names are secret. */
export class ChildEnvironments {
  readonly #kinds = new Map<string, NameKind>();
  readonly #judged = new Map<string, { readonly value: string; readonly secret: string | undefined }>();

  /**
   * Combines non-interactive defaults, the allowlisted part of the host's environment, and the additions of the
   * embedding program and the request. Later values win.
   */
  make(host: Variables, ...additions: readonly (Variables | undefined)[]): ChildEnvironment {
    const env: Record<string, string> = { ...quietDefaults };
    const inherited = new Set<string>();
    const names = Object.keys(host);
    for (const name of names) {
      if (!this.#kindOf(name).isPassed) continue;
      env[name] = host[name] ?? '';
      inherited.add(name);
    }
    // Without a locale many programs print question marks for non-ASCII letters.
    if (env.LANG === undefined && env.LC_ALL === undefined) env.LANG = 'C.UTF-8';
    for (const addition of additions) {
      for (const [name, value] of Object.entries(addition ?? {})) {
        if (value === undefined) delete env[name];
        else env[name] = value;
        inherited.delete(name);
      }
    }
    return { env, inherited, secrets: () => this.#secretsOf(names, host, additions) };
  }

  #secretsOf(
    names: readonly string[],
    host: Variables,
    additions: readonly (Variables | undefined)[],
  ): readonly string[] {
    const inherited = names.map((name) => this.#secretOfHost(name, host[name]));
    const added = additions
      .flatMap((addition) => Object.entries(addition ?? {}))
      .map(([name, value]) => secretIn(this.#kindOf(name), value));
    return [...inherited, ...added].filter((secret) => secret !== undefined);
  }

  // Cached, because every command needs all values and they rarely change.
  #secretOfHost(name: string, value = ''): string | undefined {
    const judged = this.#judged.get(name);
    if (judged?.value === value) return judged.secret;
    const kind = this.#kindOf(name);
    const isGenerated = kind.mayBeSecret && mixedValue.test(value) && !harmlessValues.test(value) && looksRandom(value);
    const secret = isGenerated ? value : secretIn(kind, value);
    this.#judged.set(name, { value, secret });
    return secret;
  }

  #kindOf(name: string): NameKind {
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      const isPassed = passedNames.has(name.toUpperCase()) || passedPrefixes.test(name);
      const isHarmless = harmlessNames.test(name);
      kind = {
        isPassed,
        isSecret: secretNames.test(name) && !isHarmless,
        mayBeSecret: !isPassed && !isHarmless && !publicNames.test(name),
      };
      this.#kinds.set(name, kind);
    }
    return kind;
  }
}

interface NameKind {
  readonly isPassed: boolean;
  readonly isSecret: boolean;
  /** Whether the variable is withheld and its name does not show that the value is harmless or public. */
  readonly mayBeSecret: boolean;
}

function secretIn({ isSecret }: NameKind, value = ''): string | undefined {
  if (value.length < minSecretChars) return undefined;
  if (isSecret && !harmlessValues.test(value)) return value;
  const password = value.includes('@') ? passwordInAddress.exec(value)?.[1] : undefined;
  return password !== undefined && password.length >= minSecretChars ? password : undefined;
}

/** The environment variable that identifies processes of a command after they have left its process group. */
export const markerName = 'TOOLWRIGHT_SHELL';

const maxOuterMarkers = 8;

/**
 * The marker value for one command: the markers of outer shells, then `owner.run`. An outer shell can thus still find
 * the processes of a nested shell.
 */
export function markerValue(owner: string, run: number, outer: string | undefined): string {
  const kept = (outer ?? '').split(':').filter(Boolean).slice(-maxOuterMarkers);
  return [...kept, `${owner}.${run}`].join(':');
}

/** The markers in an environment as /proc shows it, outermost first. */
export function markersIn(environment: string): readonly { readonly owner: string; readonly run: number }[] {
  const value = environment.split('\0').find((entry) => entry.startsWith(`${markerName}=`));
  if (value === undefined) return [];
  return value
    .slice(markerName.length + 1)
    .split(':')
    .map((mark) => ({
      owner: mark.slice(0, mark.lastIndexOf('.')),
      run: Number(mark.slice(mark.lastIndexOf('.') + 1)),
    }));
}
