import { setTimeout as sleep } from 'node:timers/promises';

/** The address, and the number of attempts. */
export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Default 4. */
  readonly maxAttempts?: number;
}

const maxWaitMs = 20_000;

/**
 * Posts JSON and returns JSON. Retries with growing pauses if the server is busy (429, 5xx) or cannot be reached.
 * Rejects with a message of one sentence.
 */
export async function postJson(
  { url, headers, maxAttempts = 4 }: Endpoint,
  body: object,
  signal: AbortSignal,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(url, headers, body, signal);
    if (outcome.ok) return outcome.value;
    if (!outcome.mayRetry || attempt >= maxAttempts)
      throw new Error(`${outcome.problem} (tried ${attempt} time${attempt === 1 ? '' : 's'})`);
    await sleep(Math.min(outcome.waitMs ?? 500 * 2 ** attempt, maxWaitMs), undefined, { signal });
  }
}

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly mayRetry: boolean; readonly waitMs?: number | undefined; readonly problem: string };

async function tryOnce(url: string, headers: Endpoint['headers'], body: object, signal: AbortSignal): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
    });
    if (response.ok) return { ok: true, value: await response.json() };
    const problem = `${new URL(url).host} answered ${response.status}: ${(await response.text()).slice(0, 500)}`;
    return {
      ok: false,
      mayRetry: response.status === 429 || response.status >= 500,
      waitMs: retryAfterMs(response),
      problem,
    };
  } catch (cause) {
    signal.throwIfAborted();
    return { ok: false, mayRetry: true, problem: `${new URL(url).host} cannot be reached: ${reasonOf(cause)}` };
  }
}

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number.parseFloat(response.headers.get('retry-after') ?? '');
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
