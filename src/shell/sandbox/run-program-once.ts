/** Probes a program: undefined if the program exits with code 0 within `limitMs`, else the error message. */
export async function tryProgram(
  file: string,
  words: readonly string[],
  limitMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { code, failed, stderr, shortMessage } = await runOnce(file, words, limitMs, signal);
  if (!failed) return undefined;
  return code === 'ENOENT' ? `${file} is not installed` : firstLine(stderr ?? '') || firstLine(shortMessage ?? '');
}

/** The output of a program; empty if it fails or exceeds `limitMs`. */
export async function outputOf(file: string, words: readonly string[], limitMs: number): Promise<string> {
  const { failed, stdout } = await runOnce(file, words, limitMs);
  return failed ? '' : stdout;
}

async function runOnce(file: string, words: readonly string[], limitMs: number, signal?: AbortSignal) {
  const { execa } = await import('execa');
  const options = { reject: false, stripFinalNewline: false, timeout: limitMs } as const;
  const child = execa(file, words, { ...options, ...(signal && { cancelSignal: signal }) });
  // Children of a killed program may keep its output open.
  child.once('exit', (_code, ended) => {
    if (ended !== null) for (const stream of [child.stdout, child.stderr]) stream.destroy();
  });
  return await child;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, 300) ?? '';
}
