import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { flag, inputObject, optional, text } from '../../core/schema/fields.js';
import { Pause } from '../../core/support/event-loop-yield.js';
import { lazily, once } from '../../core/support/once.js';
import { nextTurn } from '../../core/support/timers.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { diffFacts, diffOfTexts, withHeader, withLastBreak } from '../../editing/diff/by-lines.js';
import { encodingOf } from '../../editing/encodings/detect.js';
import type { EditPlan } from '../../editing/plan-edit.js';
import type { FileChangeDependencies } from '../content/file-change-dependencies.js';
import {
  currentBytes,
  notAsRead,
  refuseBrokenText,
  shownDiff,
  writeNotes,
  writePlanned,
  zeroNotes,
} from '../content/file-change-steps.js';
import { syntaxNotes } from '../content/syntax-check.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { pathFacts } from './path-facts.js';

const input = lazily(() =>
  inputObject({
    file_path: text('Absolute path', { minLength: 1 }),
    old_string: text('Exact text of the file, without line numbers', { minLength: 1 }),
    new_string: text('May be empty'),
    replace_all: optional(flag('Replace every occurrence')),
  }),
);

/** Replaces text in a file and leaves every other byte alone. */
export function editTool(dependencies: FileChangeDependencies): Tool<output<ReturnType<typeof input>>> {
  const {
    files,
    ledger,
    limits,
    readBeforeWrite = false,
    syntax,
    secretOf,
    scrub,
    shown = String,
  } = dependenciesOf('editTool', dependencies, 'files', 'ledger', 'limits');
  const facts = pathFacts(files);
  const planner = once(() => import('../../editing/plan-edit.js'));
  return Tool.define('Edit', {
    description:
      'Replace text in a file. old_string must match one place only, unless replace_all is set; add the lines ' +
      'around it to make it unique.',
    input: input(),
    examples: [{ file_path: '/repo/src/app.ts', old_string: 'const port = 80;', new_string: 'const port = 8080;' }],
    sideEffect: 'mutating',
    literalFields: ['old_string', 'new_string'],
    title: ({ file_path }) => `Edit ${facts.display(file_path)}`,
    preview: ({ file_path, old_string, new_string }) => {
      const name = facts.display(file_path);
      // The diff compares whole lines, so both texts get a final line break. It is not cut: a person must see it whole.
      const diff = diffOfTexts(withLastBreak(old_string), withLastBreak(new_string), Infinity, Infinity);
      return withHeader(diff.text, name, name);
    },
    advice: () =>
      'To change a file, use Edit: copy old_string exactly from Read, without line numbers and long enough to occur ' +
      `once.${readBeforeWrite ? ' A file must be read before it is changed.' : ''}`,
    targets: ({ file_path }) => facts.edits(file_path),
    footprint: ({ file_path }) => facts.editFootprint(file_path),
    verdict: ({ file_path }) => facts.objection(file_path),
    async execute({ file_path, old_string, new_string, replace_all = false }, context): Promise<ToolResult> {
      if (old_string === new_string)
        throw new ToolError('no_change', 'old_string and new_string are the same; make new_string differ.');
      refuseBrokenText(new_string, 'new_string');
      const { maxDiffLines } = limits;
      const request = {
        oldText: old_string,
        newText: new_string,
        replaceAll: replace_all,
        maxDiffLines,
        secretOf,
        scrub,
      };
      const { planEdit } = await planner();
      const { update, planned } = await writePlanned(
        files,
        file_path,
        async (current) => {
          const bytes = await currentBytes(current, file_path, files, limits.maxFileBytes, context);
          const { path, version } = current?.stat ?? { path: file_path, version: '' };
          const compare = () => ledger.compare(context.caller, path, version, bytes);
          const state = readBeforeWrite ? compare() : undefined;
          if (state !== undefined && state !== 'fresh') throw notAsRead(path, state);
          const encoding = encodingOf(bytes, path);
          const pause = new Pause(context.signal);
          const planFor = (exactOnly: boolean) =>
            planEdit(bytes, encoding, { ...request, path, exactOnly }, () => pause.ifDue());
          const plan = await planWithoutDoubt(planFor, () => compare() === 'stale', path);
          // The hash is computed while the disk is busy with the write.
          const seen = nextTurn().then(() => ({
            isStale: (state ?? compare()) === 'stale',
            hash: ledger.hashOf(plan.slices),
          }));
          return { slices: plan.slices, plan, bytes, seen };
        },
        context,
      );
      const { plan, bytes, seen } = planned;
      const { isStale, hash } = await seen;
      ledger.note(context.caller, { path: update.path, version: update.stat.version, hash });
      const diff = shownDiff(update, plan.diff);
      const errors = await syntaxNotes(syntax, update.path, bytes, plan.slices);
      const notes = [
        ...tierNotes(plan),
        ...(isStale ? [staleNote] : []),
        ...writeNotes(update, file_path),
        ...zeroNotes(new_string, plan.slices),
        ...errors,
      ];
      return {
        // After an exact match the model knows the new text already, so the diff is left out.
        output: [
          headline(shown(update.path), plan),
          ...(plan.tier === 'exact' || diff === undefined ? [] : [diff.text]),
          ...notes,
        ].join('\n'),
        title: `Edit ${facts.display(update.path)}`,
        metadata: {
          filePath: update.path,
          replacements: plan.count,
          tier: plan.tier,
          line: plan.line,
          stale: isStale,
          ...diffFacts(diff, update.path, update.path),
        },
      };
    },
  });
}

const staleNote =
  '[The file had changed since it was read; old_string still matched exactly one place, so the edit was made there]';

function headline(path: string, { count, line }: EditPlan): string {
  return count === 1
    ? `Edited ${path} at line ${line}.`
    : `Edited ${path}: ${count} replacements, the first at line ${line}.`;
}

function tierNotes({ tier }: EditPlan): string[] {
  if (tier === 'look-alikes')
    return ['[Matched by look-alike characters: quotes, dashes or spaces in the file differ from old_string]'];
  if (tier === 'whitespace')
    return ['[Matched by lines: their indentation or trailing white space differs from old_string]'];
  return [];
}

/** The plan of an edit. A file that changed since it was read is edited only if the match is exact and unique. */
async function planWithoutDoubt(
  planFor: (exactOnly: boolean) => Promise<EditPlan>,
  isStale: () => boolean,
  path: string,
): Promise<EditPlan> {
  const plan = await planFor(false).catch((thrown: unknown) => ({ thrown }));
  if ('tier' in plan && plan.tier === 'exact' && plan.count === 1) return plan;
  if (isStale()) return onlyPlace(planFor(true), path);
  if ('thrown' in plan) throw plan.thrown;
  return plan;
}

async function onlyPlace(planning: Promise<EditPlan>, path: string): Promise<EditPlan> {
  try {
    const plan = await planning;
    if (plan.count === 1) return plan;
  } catch (thrown) {
    if (!ToolError.is(thrown) || (thrown.code !== 'no_match' && thrown.code !== 'not_unique')) throw thrown;
  }
  throw notAsRead(path, 'stale');
}
