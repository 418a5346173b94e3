import { dirname, resolve } from 'node:path';
import type { AnthropicRequest } from './anthropic-model.js';
import type { Send } from './model.js';

/** The fields of a result in a request that the script uses. */
interface Seen {
  readonly text: string;
  readonly context: string;
  readonly isError: boolean;
}

/** One turn of the script: its text, and its calls with their inputs. */
interface Turn {
  readonly text: string;
  readonly calls: readonly (readonly [name: string, input: object])[];
}

type Script = Generator<Turn, string, readonly Seen[]>;

/**
 * Replaces Anthropic's server without a network: it reads the same requests, answers with the same messages, and
 * decides by the real results of the tools. It can repair only one kind of mistake, an off-by-one comparison. If a
 * result is not as expected, it gives up.
 */
export function scriptedAnthropic(root: string): Send {
  const script = repair(root);
  let turns = 0;
  return async (body) => {
    const request = body as AnthropicRequest;
    const step = script.next(resultsIn(request));
    const { text, calls }: Turn = step.done ? { text: step.value, calls: [] } : step.value;
    turns++;
    return {
      id: `msg_${turns}`,
      type: 'message',
      role: 'assistant',
      model: request.model,
      content: [
        { type: 'text', text },
        ...calls.map(([name, input], index) => ({ type: 'tool_use', id: `toolu_${turns}_${index + 1}`, name, input })),
      ],
      stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use',
    };
  };
}

function* repair(root: string): Script {
  const [before] = yield {
    text: 'I run the tests first.',
    calls: [['Bash', { command: 'node --test', description: 'Run the tests' }]],
  };
  const failure = /^(?:not ok \d+ - |✖ )((\w+): .+?)(?: \([\d.]+ms\))?$/m.exec(before?.text ?? '');
  if (failure === null) return 'I give up: I see no failing test.';

  const [, title, name = ''] = failure;
  const [hits] = yield {
    text: `This one fails: "${title}". Where is ${name} defined?`,
    calls: [['Grep', { pattern: `function ${name}\\b`, path: root, output_mode: 'content' }]],
  };
  const [, file = '', line = ''] = /^(\/.+?):(\d+):/m.exec(hits?.text ?? '') ?? [];
  if (file === '') return `I give up: I cannot find ${name}.`;

  const [code] = yield {
    text: `In line ${line} of ${file}. Let me see it.`,
    calls: [['Read', { file_path: file, offset: Math.max(1, Number(line) - 5), limit: 10 }]],
  };
  const [, config = ''] = /new URL\('(.+?\.json)'/.exec(code?.text ?? '') ?? [];
  const [, wrong = '', limit = ''] = /^\d+\t(.*> config\.(\w+) .*)$/m.exec(code?.text ?? '') ?? [];
  if (config === '' || wrong === '') return 'I give up: this is not the mistake I know.';

  const [settings] = yield {
    text: `It compares with ${limit} of ${config}. What is that?`,
    calls: [['Read', { file_path: resolve(dirname(file), config) }]],
  };
  const [, edge] = new RegExp(`"${limit}": (\\d+)`).exec(settings?.text ?? '') ?? [];
  if (edge === undefined) return `I give up: ${config} does not say what ${limit} is.`;

  const [edit] = yield {
    text: `"from ${edge} on" means that ${edge} counts: > must be >=.`,
    calls: [['Edit', { file_path: file, old_string: wrong, new_string: wrong.replace('>', '>=') }]],
  };
  const [, command] = /`(.+?)`/.exec(edit?.context ?? '') ?? [];
  if (edit?.isError !== false || command === undefined)
    return 'I give up: the change was refused, or nobody says how to verify it.';

  const [after] = yield { text: `Changed. I verify it as I am told, with ${command}.`, calls: [['Bash', { command }]] };
  if (after?.isError !== false || /^Exit code: /m.test(after.text)) return 'I give up: the tests still fail.';
  return `Done: the comparison in ${name} left out its own edge; now all tests pass.`;
}

function resultsIn({ messages }: AnthropicRequest): Seen[] {
  const content = messages.at(-1)?.content;
  if (!Array.isArray(content)) return [];
  return (
    content as readonly { readonly content: readonly { readonly text?: string }[]; readonly is_error?: boolean }[]
  ).map((result) => {
    const [text = '', context = ''] = result.content.map((block) => block.text ?? '');
    return { text, context, isError: result.is_error === true };
  });
}
