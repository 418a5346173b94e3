/** A line of the stream of a turn. */
interface Line {
  readonly questions?: readonly { readonly id: string; readonly title: string }[];
  readonly answer?: string;
  readonly error?: string;
  readonly event?: { readonly type: string; readonly metadata?: { readonly tail?: string } };
}

/** Uses a chat server like two browsers, and returns the checks. */
export async function tryOut(address: string): Promise<Readonly<Record<string, boolean>>> {
  const post = async (path: string, body = '') => await fetch(`${address}/sessions${path}`, { method: 'POST', body });
  const open = async () => ((await (await post('')).json()) as { readonly id: string }).id;
  const say = async (id: string, message: string) => await lines(await post(`/${id}/messages`, message));
  const asked = async (id: string, message: string) =>
    (await (await say(id, message)).until('questions'))?.questions ?? [];
  const answer = async (id: string, questions: NonNullable<Line['questions']>, word: string) =>
    await post(`/${id}/answers`, JSON.stringify(Object.fromEntries(questions.map((one) => [one.id, word]))));
  const [ann, bob] = [await open(), await open()];

  // Both conversations have an open question, and no request stays open for it.
  const [askedAnn, askedBob] = [await asked(ann, 'save buy milk'), await asked(bob, 'run rm note.txt')];
  const refused = await (await lines(await answer(bob, askedBob, 'deny'))).until('answer');
  const saved = await (await lines(await answer(ann, askedAnn, 'allow-once'))).until('answer');
  const repeated = await answer(ann, askedAnn, 'allow-once');

  // Output arrives while the command runs, and cancel ends the command.
  const long = await lines(await answer(bob, await asked(bob, 'run echo begun; sleep 600'), 'allow-once'));
  const shown = await long.find(({ event }) => event?.type === 'tool-progress');
  await post(`/${bob}/cancel`);
  const cancelled = await long.until('error');

  // Ending a session ends its running command.
  const last = await lines(await answer(ann, await asked(ann, 'run echo begun; sleep 600'), 'allow-once'));
  await last.find(({ event }) => event?.type === 'tool-progress');
  const end = await fetch(`${address}/sessions/${ann}`, { method: 'DELETE' });
  const ended = await last.until('error');
  await fetch(`${address}/sessions/${bob}`, { method: 'DELETE' });

  return {
    'two sessions were asked at the same time': askedAnn.length === 1 && askedBob.length === 1,
    'a refusal reached the model': refused?.answer?.startsWith('Error: The user refused Bash') === true,
    'an approval in a second request let the call run': saved?.answer?.includes('note.txt') === true,
    'an answer counts once': repeated.status === 404,
    'output came while the command ran': JSON.stringify(shown ?? {}).includes('begun'),
    'cancel ended the command': cancelled?.error?.includes('interrupted') === true,
    'the end of a session ended its command': end.ok && ended?.error !== undefined,
    'an ended session is gone': (await post(`/${ann}/messages`, 'hello')).status === 404,
  };
}

/** Reads JSON lines as they arrive. */
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
  return { find, until: (key: 'questions' | 'answer' | 'error') => find((line) => line[key] !== undefined) };
}
