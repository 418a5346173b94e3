import { randomUUID } from 'node:crypto';
import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { choice, inputObject, optional, text } from '../../core/schema/fields.js';
import { lazily, once } from '../../core/support/once.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { diffFacts } from '../../editing/diff/by-lines.js';
import type { NotebookEdit, NotebookPlan } from '../../editing/notebook/plan.js';
import type { FileChangeDependencies } from '../content/file-change-dependencies.js';
import {
  currentBytes,
  notAsRead,
  refuseBrokenText,
  shownDiff,
  writeNotes,
  writePlanned,
} from '../content/file-change-steps.js';
import { dependenciesOf } from '../support/factory-arguments.js';
import { pathFacts } from './path-facts.js';

const input = lazily(() =>
  inputObject({
    notebook_path: text('Absolute path', { minLength: 1 }),
    new_source: text('Empty for delete'),
    cell_id: optional(text('Id that Read shows; insert goes after this cell, or to the start if omitted')),
    cell_type: optional(choice(['code', 'markdown'], 'Required for insert; if omitted, replace keeps the type')),
    edit_mode: optional(choice(['replace', 'insert', 'delete'], 'Default replace')),
  }),
);

type NotebookEditInput = output<ReturnType<typeof input>>;

/** Changes one cell of a Jupyter notebook (nbformat 4.0 to 4.5), and leaves every other byte alone. */
export function notebookEditTool(dependencies: FileChangeDependencies): Tool<NotebookEditInput> {
  const {
    files,
    ledger,
    limits,
    readBeforeWrite = false,
    secretOf,
    scrub,
    shown = String,
  } = dependenciesOf('notebookEditTool', dependencies, 'files', 'ledger', 'limits');
  const facts = pathFacts(files);
  const planner = once(() => import('../../editing/notebook/plan.js'));
  return Tool.define('NotebookEdit', {
    description:
      'Replace, insert or delete one cell of a Jupyter notebook (.ipynb). new_source is the whole source of the ' +
      'cell. Replacing a code cell clears its outputs.',
    input: input(),
    examples: [{ notebook_path: '/repo/a.ipynb', new_source: 'print(1)', cell_type: 'code', edit_mode: 'insert' }],
    sideEffect: 'mutating',
    literalFields: ['new_source'],
    title: ({ notebook_path }) => `NotebookEdit ${facts.display(notebook_path)}`,
    preview: (call) => preview(call, facts.display(call.notebook_path)),
    targets: ({ notebook_path }) => facts.edits(notebook_path),
    footprint: ({ notebook_path }) => facts.editFootprint(notebook_path),
    verdict: (call) => {
      // Refuses an invalid input before a person is asked for approval.
      editOf(call);
      return facts.objection(call.notebook_path);
    },
    async execute(call, context): Promise<ToolResult> {
      const { notebook_path, edit_mode = 'replace', new_source } = call;
      const edit = editOf(call);
      refuseBrokenText(new_source, 'new_source');
      const { planNotebookEdit } = await planner();
      const { update, planned: plan } = await writePlanned(
        files,
        notebook_path,
        async (current) => {
          const { path, version } = current?.stat ?? { path: notebook_path, version: '' };
          if (current !== undefined) refuseOtherFiles(notebook_path, path);
          const bytes = await currentBytes(current, notebook_path, files, limits.maxFileBytes, context);
          const state = ledger.compare(context.caller, path, version, bytes);
          if (state === 'stale' || (readBeforeWrite && state === 'unseen')) throw notAsRead(path, state);
          // Cell ids have the length and alphabet that Jupyter uses.
          const createId = () => randomUUID().slice(0, 8);
          const options = { path, maxDiffLines: limits.maxDiffLines, createId, secretOf, scrub };
          const made = planNotebookEdit(bytes, edit, options);
          return { ...made, slices: [made.bytes] };
        },
        context,
      );
      ledger.noteWritten(context.caller, update.path, update.stat.version, [plan.bytes]);
      const { cell, type, language } = plan;
      const diff = shownDiff(update, { old_source: plan.oldSource, ...plan.diff });
      const notes = [...plan.notes.map((note) => `[${note}]`), ...writeNotes(update, notebook_path)];
      return {
        output: [headline(edit, plan, shown(update.path)), ...(diff?.text ? [diff.text] : []), ...notes]
          .join('\n')
          .toWellFormed(),
        title: `NotebookEdit ${facts.display(update.path)}`,
        metadata: {
          filePath: update.path,
          cell_id: cell,
          cell_type: type,
          language,
          edit_mode,
          new_source: plan.newSource,
          ...(diff && { old_source: diff.old_source }),
          ...diffFacts(diff, update.path, update.path),
        },
      };
    },
  });
}

function editOf({
  new_source: source,
  cell_id: cell,
  cell_type: type,
  edit_mode: mode = 'replace',
}: NotebookEditInput): NotebookEdit {
  if (mode === 'insert') {
    if (type === undefined)
      throw new ToolError('invalid_input', 'An insert needs cell_type; pass "code" or "markdown".');
    return { mode, cell, source, type };
  }
  if (cell === undefined)
    throw new ToolError('invalid_input', `A ${mode} needs cell_id; pass the id of the cell, as Read shows it.`);
  return mode === 'delete' ? { mode, cell } : { mode, cell, source, type };
}

function refuseOtherFiles(given: string, path: string): void {
  if ([given, path].some((name) => name.toLowerCase().endsWith('.ipynb'))) return;
  throw new ToolError('unsupported_file', `NotebookEdit changes only notebooks (.ipynb), not ${path}. Use Edit.`);
}

function headline({ mode, cell: reference }: NotebookEdit, { cell, type }: NotebookPlan, path: string): string {
  const what = type === undefined ? `cell ${cell}` : `${type} cell ${cell}`;
  if (mode === 'delete') return `Deleted ${what} of ${path}.`;
  if (mode === 'replace') return `Replaced the source of ${what} in ${path}.`;
  return `Inserted ${what} ${reference === undefined ? 'at the start' : `after ${reference}`} in ${path}.`;
}

function preview({ new_source, cell_id, cell_type, edit_mode = 'replace' }: NotebookEditInput, name: string): string {
  const place = cell_id === undefined ? 'at the start' : edit_mode === 'insert' ? `after ${cell_id}` : cell_id;
  const head = `${name}: ${edit_mode} ${cell_type === undefined ? '' : `${cell_type} `}cell ${place}`;
  return edit_mode === 'delete' ? head : `${head}\n${new_source}`;
}
