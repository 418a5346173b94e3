import { extname } from 'node:path';
import { once } from '../../core/support/once.js';
import { optionalPackage } from '../../core/support/optional-package.js';
import { fileText } from '../../editing/encodings/detect.js';

interface Diagnostic {
  readonly start?: number | undefined;
  readonly messageText: string | { readonly messageText: string };
}

/** The part of the package `typescript` (before version 7) that is used. */
export interface TypeScriptPackage {
  transpileModule(
    text: string,
    options: {
      readonly fileName: string;
      readonly reportDiagnostics: true;
      readonly compilerOptions: Readonly<Record<string, unknown>>;
    },
  ): { readonly diagnostics?: readonly Diagnostic[] | undefined };
}

/** Finds the syntax errors that a change introduces; errors from before the change do not count. */
export interface SyntaxChecker {
  /** One line for each new error, such as `line 3: ';' expected.`; none for files of unknown languages. */
  newErrors(path: string, before: string | undefined, after: string): Promise<readonly string[]>;
}

/** Notes about the syntax errors that a change introduced; empty without a checker and for binary files. */
export async function syntaxNotes(
  checker: SyntaxChecker | undefined,
  path: string,
  before: Buffer | undefined,
  slices: readonly Uint8Array[],
): Promise<string[]> {
  const current = checker && fileText(Buffer.concat(slices));
  // The file has been written already, so a check that throws, such as on deeply nested code, must not fail the call.
  const check = async () =>
    current === undefined ? [] : await checker?.newErrors(path, before && fileText(before), current);
  const errors = await check().catch(() => []);
  return !errors?.length ? [] : [`[New syntax errors (the change stays): ${errors.join(' ')}]`];
}

interface SyntaxError {
  readonly line: number;
  readonly message: string;
}

const maxErrors = 5;
const maxChars = 2_000_000;
/** JSON files whose programs accept comments. */
const commented =
  /\.(?:jsonc|code-workspace)$|(?:^|\/)(?:(?:ts|js)config[^/]*|\.eslintrc|tslint|\.?devcontainer|deno|turbo|nx|rush|api-extractor|tsdoc|typedoc|wrangler|pyrightconfig|babel\.config)\.json$|(?:^|\/)\.vscode\/[^/]*\.json$/;
const jsonReader = once(() => import('../../editing/notebook/json-nodes.js'));
const scripts = new Set(['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx']);

/** Checks JSON files. Checks scripts with the optional package `typescript`, which is loaded on first use. */
export function syntaxChecker(load: () => Promise<TypeScriptPackage | undefined> = loadTypeScript): SyntaxChecker {
  return {
    async newErrors(path, before, after) {
      const check = await checkerFor(path, before, load);
      if (check === undefined || after.length > maxChars) return [];
      const found = check(after);
      if (found.length === 0) return [];
      const known = before === undefined || before.length > maxChars ? [] : check(before).map(({ message }) => message);
      const added = found.filter(({ message }) => !take(known, message));
      return added.slice(0, maxErrors).map(({ line, message }) => `line ${line}: ${message}`);
    },
  };
}

type Check = (text: string) => readonly SyntaxError[];

async function checkerFor(
  path: string,
  before: string | undefined,
  load: () => Promise<TypeScriptPackage | undefined>,
): Promise<Check | undefined> {
  const ending = extname(path).toLowerCase();
  const name = path.replaceAll('\\', '/').toLowerCase();
  const isCommented = commented.test(name);
  if (isCommented || ending === '.json') {
    const { jsonError } = await jsonReader();
    const errors = (text: string, comments: boolean) => {
      const error = text.trim() === '' ? undefined : jsonError(text.replace(/^\ufeff/, ''), { comments });
      return error === undefined ? [] : [{ line: error.line, message: `${error.message}.` }];
    };
    // A JSON file that already has comments may get more.
    const hadComments =
      before !== undefined &&
      before.length <= maxChars &&
      errors(before, false).length > 0 &&
      errors(before, true).length === 0;
    return (text) => errors(text, isCommented || hadComments);
  }
  const vendor = scripts.has(ending) ? await load() : undefined;
  return vendor && ((text) => checkScript(vendor, path, text));
}

function checkScript(vendor: TypeScriptPackage, path: string, text: string): SyntaxError[] {
  const compilerOptions = { allowJs: true, target: 99, module: 99, jsx: 1 };
  const { diagnostics = [] } = vendor.transpileModule(text, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions,
  });
  return diagnostics.map(({ start = 0, messageText }) => ({
    line: text.slice(0, start).split('\n').length,
    message: typeof messageText === 'string' ? messageText : messageText.messageText,
  }));
}

function take(messages: string[], message: string): boolean {
  const at = messages.indexOf(message);
  if (at >= 0) messages.splice(at, 1);
  return at >= 0;
}

async function loadTypeScript(): Promise<TypeScriptPackage | undefined> {
  const loaded = await optionalPackage('typescript').catch(() => undefined);
  const { default: vendor } = (loaded ?? {}) as { readonly default?: Partial<TypeScriptPackage> };
  return typeof vendor?.transpileModule === 'function' ? (vendor as TypeScriptPackage) : undefined;
}
