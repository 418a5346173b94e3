import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { shellQuote } from '../core/text/shell-quote.js';
import { notFile } from '../files/disk/open-file.js';
import type { StoreWithModes } from '../files/store/file-system.js';
import { askRemote, type RemoteRun } from './run-line.js';

const missing = 44;
const outside = 45;
const folder = 46;
const maxBytes = 256_000_000;

/**
 * A shell function that confines a path to the root on the other machine. The function exits with the code `outside` if
 * a link in the path leads out of the root, or if the name itself is a link. `$(dirname …)` is avoided, since `$(…)`
 * drops line breaks at the end of a name. A link that is made between this check and the access is not detected
 * (TOCTOU).
 */
const inside = `ROOT=\${PWD%/}
inside() {
  [ -L "$1" ] && exit ${outside}
  d=\${1%/*}
  while [ ! -d "$d" ]; do d=\${d%/*}; done
  case "$(cd -P -- "$d" && printf %s/ "\${PWD%/}")" in "$ROOT"/*) ;; *) exit ${outside} ;; esac
}`;

/** Prints the time and the name of each file. */
const printTimes = 'for f; do printf "%s %s\\0" "$(stat -c %Y -- "$f")" "$f"; done';

/** The regular files below a folder of another machine, as documents. Links are not served. */
export function remoteDocuments(run: RemoteRun, root: string): StoreWithModes {
  const runLine = async (line: string, name: string, { signal }: CallScope, input?: Uint8Array) => {
    const whole = `cd -P -- ${shellQuote(root)} || exit 1\n${inside}\nf=${shellQuote(`./${name}`)}\n${line}`;
    const answer = await askRemote(run, whole, { signal, maxBytes, ...(input && { input }) });
    if (answer.code === outside)
      throw new ToolError(
        'path_outside_root',
        `${name} is a link, or a link in its path leads out of the root. Use a path inside the root without links.`,
      );
    if (answer.code === folder) throw notFile(posix.join(root, name));
    if (answer.code !== 0 && answer.code !== missing) {
      const reason = answer.stderr.trim() || `code ${answer.code}`;
      throw new ToolError('storage_failed', `${name}: the remote program failed: ${reason}`);
    }
    return answer;
  };
  /** Runs `find` with an action that prints an entry for each file. Each entry ends with a NUL byte. */
  const find = async (action: string, scope: CallScope): Promise<string[]> => {
    // `find` exits with 1 for an unreadable folder, which is accepted. It also exits with 1 if it lacks `-print0`, so
    // `works` tests `-print0` first.
    const works = '[ -r . ] && find . -prune -print0 > /dev/null';
    const line = `${works} && { find . -type f ! -name '.write.??????' ${action}; [ $? -le 1 ]; }`;
    const { stdout } = await runLine(line, '.', scope);
    return stdout.toString('utf8').split('\0').filter(Boolean);
  };
  return {
    async read(name, scope) {
      const line = `[ -f "$f" ] || exit ${missing}; inside "$f"; stat -c '%Y %a' -- "$f" && cat -- "$f"`;
      const { code, stdout } = await runLine(line, name, scope);
      if (code === missing) return undefined;
      const end = stdout.indexOf(10);
      const [seconds = '0', mode = '644'] = stdout.toString('latin1', 0, end).split(' ');
      const bytes = stdout.subarray(end + 1);
      const version = `${seconds}-${mode}-${createHash('sha256').update(bytes).digest('hex')}`;
      return { bytes, mtimeMs: Number(seconds) * 1_000, version, mode: Number.parseInt(mode, 8) };
    },
    async write(name, bytes, scope, { mode = 0o644 } = {}) {
      const line = `inside "$f"; [ -d "$f" ] && exit ${folder}; mkdir -p -- "\${f%/*}" && t=$(mktemp "\${f%/*}/.write.XXXXXX") || exit 1
cat > "$t" && [ "$(wc -c < "$t")" -eq ${bytes.byteLength} ] && chmod ${mode.toString(8)} "$t" && mv -f -- "$t" "$f" || { rm -f -- "$t"; exit 1; }`;
      await runLine(line, name, scope, bytes);
    },
    async remove(name, scope) {
      const { code } = await runLine(`[ -f "$f" ] || exit ${missing}; inside "$f"; rm -f -- "$f"`, name, scope);
      return code !== missing;
    },
    async names(scope) {
      return (await find('-print0', scope)).map((name) => name.replace(/^\.\//, '')).sort();
    },
    async times(scope) {
      const entries = await find(`-exec sh -c ${shellQuote(printTimes)} sh {} +`, scope);
      // A file that was removed meanwhile has no time.
      const dated = entries.map((entry) => /^(\d+) \.\/(.+)$/s.exec(entry)).filter((found) => found !== null);
      return new Map(dated.map(([, seconds, name = '']) => [name, Number(seconds) * 1_000]));
    },
  };
}
