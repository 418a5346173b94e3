/**
 * A host at a terminal: the agent asks questions, keeps todos, plans, and changes a setting; the person answers,
 * approves or refuses.
 *
 * npx tsx examples/planning-host.ts    at a terminal you are asked; elsewhere somebody who always takes the first
 *                                      choice sits there. The agent is a script: no network, no key
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfigStore, createPermissions, createTaskBoard, createToolkit, terminalInput } from 'toolwright';
import { plain } from './agent-loop/paint.js';
import { typist } from './planning-host/typist.js';

const base = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-planning-')));
// The tools work in root. Settings and tasks are stored outside it, so that only the hosts can change them.
const [root, own] = [join(base, 'work'), join(base, 'own')];
for (const folder of [root, own]) await mkdir(folder);
const { input, output } = process.stdin.isTTY ? { input: process.stdin, output: process.stdout } : typist();
const person = terminalInput({ input, output });
const config = createConfigStore({
  settings: { tone: { type: 'enum', values: ['calm', 'loud'], default: 'calm', description: 'How the agent greets' } },
  file: join(own, 'settings.json'),
});
const toolkit = createToolkit({
  root,
  features: { tasks: true },
  hosts: { userInput: person, config, tasks: createTaskBoard({ file: join(own, 'tasks.json') }) },
  permissions: createPermissions({
    root,
    allow: ['EnterPlanMode'],
    // Permission is also asked through the user input, so that prompts never overlap.
    onAsk: async ({ title, preview }, scope) => {
      const question = `Allow ${title}?`;
      const options = [
        { label: 'Yes', description: 'Let it run', preview },
        { label: 'No', description: 'Refuse it' },
      ];
      const asked = { question, header: 'Permission', options, multiSelect: false };
      const { answers } = await person.ask({ questions: [asked] }, scope);
      return answers[question] === 'Yes' ? 'allow-once' : 'deny';
    },
  }),
  onEvent: (event) => {
    if (event.type !== 'todo-update') return;
    for (const { content, status } of event.todos) say(`  ${status === 'completed' ? 'x' : '-'} ${content}`);
  },
});

function say(text: string): void {
  process.stdout.write(`${plain(text)}\n`);
}

// Ctrl-C ends the open question and all later calls.
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());

let calls = 0;
/** The calls of a model, each in its own turn. */
async function call(name: string, given: object) {
  const turn = [{ id: `call_${++calls}`, name, input: given }];
  const { results } = await toolkit.execute(turn, { signal: interrupt.signal });
  const [result] = results;
  say(`${name}: ${result?.output}`);
  return result;
}

const path = join(root, 'greeting.txt');
const todo = (status: 'in_progress' | 'completed') => ({
  todos: [{ content: 'Write a greeting', status, activeForm: 'Writing a greeting' }],
});
try {
  const asked = await call('AskUserQuestion', {
    questions: [
      {
        question: 'Which greeting?',
        header: 'Greeting',
        options: [
          { label: 'Hello', description: 'Short' },
          { label: 'Good morning', description: 'Polite' },
        ],
      },
    ],
  });
  const answers = (asked?.metadata?.answers ?? {}) as Readonly<Record<string, string>>;
  const greeting = answers['Which greeting?'] ?? 'Hi';
  await call('TaskCreate', { subject: 'Greet', description: 'Write a greeting to a file.' });
  await call('TodoWrite', todo('in_progress'));
  await call('EnterPlanMode', {});
  const write = await call('Write', { file_path: path, content: `${greeting}\n` });
  const wasQueued = write?.ok === false && write.error.code === 'queued_for_plan' && !existsSync(path);
  const plan = await call('ExitPlanMode', { plan: `Write "${greeting}" to greeting.txt.` });
  if (plan?.ok) for (const { output: text } of (await toolkit.runPlan()).results) say(`The plan: ${text}`);
  else toolkit.clearPlan();
  await call('Config', { setting: 'tone', value: 'loud' });
  await call('TaskUpdate', { taskId: '1', status: 'completed' });
  await call('TodoWrite', todo('completed'));

  const written = existsSync(path) ? (await readFile(path, 'utf8')).trim() : 'nothing';
  const settings = existsSync(join(own, 'settings.json')) ? await readFile(join(own, 'settings.json'), 'utf8') : '{}';
  say(`Written: ${written}. Settings: ${settings}.`);
  const expected = process.stdin.isTTY || (written === 'Hello' && settings === '{"tone":"loud"}');
  process.exitCode = wasQueued && expected ? 0 : 1;
} finally {
  await toolkit.dispose();
  await rm(base, { recursive: true });
}
