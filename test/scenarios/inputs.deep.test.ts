import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParsedInput } from '../../src/core.js';
import { createToolkit, type Tool } from '../../src/index.js';
import { allowAll, run } from '../support/pipeline.js';
import { runs } from '../support/runs.js';
import { arbitraryOf } from '../support/schema-arbitrary.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const numRuns = runs(300);
/** The schemas do not describe URLs, patches or teams with different names, so inputs cannot be generated from them. */
const others = ['WebFetch', 'WebSearch', 'ApplyPatch', 'TeamCreate'];
const names = (
  'Agent Bash Read Write Edit NotebookEdit Glob Grep List TaskOutput TaskStop TodoWrite TodoRead TaskCreate TaskGet ' +
  'TaskUpdate TaskList EnterPlanMode ExitPlanMode AskUserQuestion Config UndoFile UndoTurn ' +
  'ListMcpResources ReadMcpResource SendMessage TeamDelete sessions_list sessions_history ' +
  'sessions_send session_status View RestartShell'
).split(' ');
const features = { undo: true, tasks: true, teams: true, sessions: true, applyPatch: true, native: true };

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const option = fc.record({ label: word, description: word, preview: word }, { requiredKeys: ['label', 'description'] });
const options = fc.uniqueArray(option, { minLength: 2, maxLength: 4, selector: ({ label }) => label });
const question = fc.record(
  { question: word, header: word, options, multiSelect: fc.boolean() },
  { requiredKeys: ['question', 'header', 'options'] },
);

/**
 * Valid inputs of a tool. Questions also satisfy conditions that JSON Schema cannot express, such as different labels.
 */
function inputsOf({ name, input }: Tool): fc.Arbitrary<unknown> {
  if (name !== 'AskUserQuestion') return arbitraryOf(input.json);
  const selector = (one: { readonly question: string }) => one.question;
  return fc.record({ questions: fc.uniqueArray(question, { minLength: 1, maxLength: 4, selector }) });
}

/** The tool of a toolkit with its work replaced: it returns its input. */
async function echoing(name: string): Promise<Tool> {
  await using toolkit = createToolkit({ root: temporaryFolder(), features });
  const tool = toolkit.registry.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return {
    ...tool,
    assess: () => ({ title: name, targets: [], footprint: { reads: 'nothing', writes: 'nothing' }, risk: 'none' }),
    execute: async (input) => ({ output: JSON.stringify(input) }),
  };
}

async function parse(tool: Tool, raw: unknown): Promise<unknown> {
  const parsed: ParsedInput<unknown> = await tool.input.parse(raw);
  fc.pre(parsed.ok);
  return parsed.ok ? parsed.value : undefined;
}

test('the table contains every built-in tool', async () => {
  await using toolkit = createToolkit({ root: temporaryFolder(), features });
  expect(toolkit.registry.names().sort()).toEqual([...names, ...others].sort());
});

describe.each(names)('an input of %s', (name) => {
  test('is the same after conversion to JSON and back', async () => {
    const tool = await echoing(name);
    await fc.assert(
      fc.asyncProperty(inputsOf(tool), async (raw) => {
        const value = await parse(tool, raw);
        expect(await parse(tool, JSON.parse(JSON.stringify(raw)))).toEqual(value);
        expect(await parse(tool, JSON.parse(JSON.stringify(value)))).toEqual(value);
      }),
      { numRuns },
    );
  });

  test('reaches the tool equally as an object and as JSON text, without unknown keys', async () => {
    const tool = await echoing(name);
    await fc.assert(
      fc.asyncProperty(inputsOf(tool), async (raw) => {
        const value = JSON.stringify(await parse(tool, raw));
        const more = { ...(raw as object), not_a_field: 1, constructor: 'x' };
        const turn = [raw, JSON.stringify(raw), more, JSON.stringify(more)].map((input, index) => ({
          id: `call_${index}`,
          name,
          input,
        }));
        const { results } = await run([tool], turn, { permissions: allowAll, scrubber: false });
        expect(results.map(({ ok, output, metadata }) => ({ ok, output, coercions: metadata?.coercions }))).toEqual(
          turn.map(() => ({ ok: true, output: value, coercions: undefined })),
        );
      }),
      { numRuns },
    );
  });
});
