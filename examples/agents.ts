/**
 * A lead agent that delegates work to subagents.
 *
 * - `npx tsx examples/agents.ts` is a script: no network, no key
 * - `npx tsx examples/agents.ts --live "task"` lets a real model lead real subagents in the current folder
 */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createPermissions, createToolkit } from 'toolwright';
import { inProcessSpawner } from 'toolwright/agents';
import { connect, findProvider } from './agent-loop/live.js';
import { plain } from './agent-loop/paint.js';
import { runAgent } from './agent-loop/run-agent.js';
import { createScreen } from './agent-loop/screen.js';
import { agentModel } from './agents/agent-model.js';
import { scriptedHelper } from './agents/scripted-helper.js';

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
const [flag, ...words] = process.argv.slice(2);
process.exitCode = flag === '--live' ? await live(words.join(' ')) : await offline();

async function offline(): Promise<number> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-agents-')));
  try {
    return await lead(root);
  } finally {
    await rm(root, { recursive: true });
  }
}

async function lead(root: string): Promise<number> {
  await writeFile(join(root, 'a.js'), "import { b } from './b.js';\nexport function a() {\n  return b;\n}\n");
  await writeFile(join(root, 'b.js'), 'export const b = 1;\n');
  const tools = ['Grep', 'SendMessage'];
  const types = { counter: { description: 'counts lines', systemPrompt: 'You count lines.', tools } };
  const announced: string[] = [];
  const toolkit = createToolkit({
    root,
    features: { teams: true },
    permissions: createPermissions({
      root,
      allow: ['Agent(counter)', 'TaskOutput', 'TeamCreate', 'SendMessage', 'TeamDelete'],
    }),
    hosts: { subagents: (toolkit) => inProcessSpawner({ toolkit, model: scriptedHelper, types }) },
    // Without this function, the lead reads the news with its next result.
    onAnnounce: ({ ends }) => {
      announced.push(...ends.map(({ description, state }) => `${description} ${state}`));
    },
  });
  const helper = (word: string, more: object = {}) => ({
    id: `call_${word}`,
    name: 'Agent',
    input: { description: `count ${word}`, prompt: `Count ${word} in ${root}`, subagent_type: 'counter', ...more },
  });
  const turn = { signal: interrupt.signal };
  try {
    // Two subagents in parallel.
    const { results } = await toolkit.execute([helper('function'), helper('export')], turn);
    for (const { output } of results) say(`A helper says: ${output}`);

    // One in the background, while the lead continues.
    const started = await toolkit.execute([helper('import', { run_in_background: true })], turn);
    const taskId = started.results[0]?.metadata?.taskId;
    say(`In the background: ${toolkit.subagents.list().at(-1)?.description}`);
    const news = await toolkit.call('TaskOutput', { task_id: String(taskId), block: true }, turn);
    say(news.output);

    // A team: one member counts and sends the number to the other, who sends it to the lead.
    const member = (name: string, prompt: string) => ({ name, prompt, subagent_type: 'counter' });
    const members = [member('ann', `Count const in ${root} and tell ben`), member('ben', 'Wait for a number')];
    const team = await toolkit.call('TeamCreate', { team_name: 'crew', members }, turn);
    say(team.output);
    let letter: string | undefined;
    while (
      letter === undefined &&
      toolkit.subagents
        .list()
        .some(({ name, state }) => name === 'ben' && (state === 'spawning' || state === 'running'))
    ) {
      const { additionalContext, ok } = await toolkit.call('Grep', { pattern: 'nothing', path: root }, turn);
      letter = additionalContext;
      if (!ok) break;
      await setTimeout(50, undefined, turn);
    }
    say(letter ?? 'nobody has written');
    const ended = await toolkit.call('TeamDelete', { team_name: 'crew', force: true }, turn);
    say(ended.output);
    while (announced.length < 3) await setTimeout(50, undefined, turn);
    say(`Announced: ${announced.join(', ')}`);

    // A subagent type that no rule allows, without `onAsk`.
    const refused = await toolkit.execute([helper('const', { subagent_type: 'general-purpose' })], turn);
    say(refused.results[0]?.output ?? '');

    const isRight =
      results.every(({ ok, output }) => ok && /^[1-9]\d* lines in [1-9]\d* files\.$/.test(output)) &&
      news.output.startsWith('Status: completed') &&
      letter?.includes('ann says: 1 lines in 1 files.') === true &&
      ended.ok &&
      refused.results[0]?.ok === false;
    return isRight ? 0 : 1;
  } finally {
    await toolkit.dispose();
  }
}

async function live(task: string): Promise<number> {
  const provider = findProvider(process.env);
  if (provider === undefined || task === '') {
    say('Set ANTHROPIC_API_KEY or OPENAI_API_KEY and pass a task to have a real model lead real helpers.');
    return 2;
  }
  const root = process.cwd();
  const screen = createScreen(process.stdout, process.env);
  const model = agentModel((definitions) => connect(provider, definitions));
  const toolkit = createToolkit({
    root,
    permissions: createPermissions({ root, allow: ['Agent'] }),
    hosts: { subagents: (toolkit) => inProcessSpawner({ toolkit, model }) },
  });
  try {
    const lead = connect(provider, toolkit.definitions());
    const { ending } = await runAgent({ model: lead, toolkit, screen, task, maxTurns: 40, signal: interrupt.signal });
    return ending === 'done' ? 0 : 1;
  } finally {
    await toolkit.dispose();
  }
}

function say(text: string): void {
  process.stdout.write(`${plain(text)}\n`);
}
