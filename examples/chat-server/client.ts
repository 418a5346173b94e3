/** A line of the stream that a turn answers with. */
interface Line {
  readonly question?: string;
  readonly answer?: string;
  readonly error?: string;
  readonly event?: { readonly type: string; readonly metadata?: { readonly tail?: string } };
}

/** Drives a chat server as two browsers would, and answers what held. */
export async function tryOut(address: string): Promise<Readonly<Record<string, boolean>>> {
  const post = async (path: string, body = '') => await fetch(`${address}/sessions${path}`, { method: 'POST', body });
  const open = async () => ((await (await post('')).json()) as { readonly id: string }).id;
  const [ann, bob] = [await open(), await open()];

  // Both are asked at the same time; neither waits for the other.
  const first = await lines(await post(`/${ann}/messages`, 'save buy milk'));
  const second = await lines(await post(`/${bob}/messages`, 'run rm note.txt'));
  const [askedAnn, askedBob] = [await first.until('question'), await second.until('question')];
  await post(`/${bob}/answers/${askedBob?.question}`, 'deny');
  const refused = await second.until('answer');
  await post(`/${ann}/answers/${askedAnn?.question}`, 'allow-once');
  const saved = await first.until('answer');
  const repeated = await post(`/${ann}/answers/${askedAnn?.question}`, 'allow-once');

  // Output comes while the command runs, and cancel ends it.
  const long = await lines(await post(`/${bob}/messages`, 'run echo begun; sleep 600'));
  await post(`/${bob}/answers/${(await long.until('question'))?.question}`, 'allow-once');
  const shown = await long.find(({ event }) => event?.type === 'tool-progress');
  await post(`/${bob}/cancel`);
  const cancelled = await long.until('error');

  // A session that ends takes the turn along that waits for an answer.
  const open3 = await lines(await post(`/${ann}/messages`, 'save too late'));
  await open3.until('question');
  const end = await fetch(`${address}/sessions/${ann}`, { method: 'DELETE' });
  const ended = await open3.until('error');
  await fetch(`${address}/sessions/${bob}`, { method: 'DELETE' });

  return {
    'two sessions were asked at the same time': askedAnn !== undefined && askedBob !== undefined,
    'a refusal reached the model': refused?.answer?.startsWith('Error: The user refused Bash') === true,
    'an approval in a second request let the call run': saved?.answer?.includes('note.txt') === true,
    'an answer counts once': repeated.status === 404,
    'output came while the command ran': JSON.stringify(shown ?? {}).includes('begun'),
    'cancel ended the command': cancelled?.error?.includes('interrupted') === true,
    'the end of a session ended its question': end.ok && ended?.error === 'Error: the session was ended',
    'an ended session is gone': (await post(`/${ann}/messages`, 'hello')).status === 404,
  };
}

/** Reads JSON lines as they come. */
async function lines(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const ready: Line[] = [];
  let rest = '';
  const next = async (): Promise<Line | undefined> => {
    while (ready.length === 0) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return undefined;
      const parts = (rest + value).split('\n');
      rest = parts.pop() ?? '';
      ready.push(...parts.map((part) => JSON.parse(part) as Line));
    }
    return ready.shift();
  };
  const find = async (isWanted: (line: Line) => boolean): Promise<Line | undefined> => {
    for (let line = await next(); line !== undefined; line = await next()) if (isWanted(line)) return line;
    return undefined;
  };
  return { find, until: (key: 'question' | 'answer' | 'error') => find((line) => line[key] !== undefined) };
}
