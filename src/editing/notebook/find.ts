import { ToolError } from '../../core/error.js';
import { didYouMean } from '../../core/support/near-names.js';
import type { Notebook, NotebookCell } from './read.js';

const maxListed = 20;
const maxNear = 1_000;
const maxNameChars = 64;
const place = /^(?:cell-)?(0|[1-9]\d{0,9})$/;

/** The cell of a name, or of an index from 0 (`cell-2` or `2`). Throws `no_match` and `not_unique`. */
export function findCell(notebook: Notebook, reference: string): NotebookCell {
  const named = notebook.cells.filter(({ name }) => name === reference);
  if (named.length > 1) throw notUnique(notebook, reference, named);
  const found = named[0] ?? atPlace(notebook, reference);
  if (found === undefined) throw noMatch(notebook, reference);
  return found;
}

function atPlace({ cells }: Notebook, reference: string): NotebookCell | undefined {
  const index = place.exec(reference)?.[1];
  return index === undefined ? undefined : cells[Number(index)];
}

function noMatch({ path, cells }: Notebook, reference: string): ToolError {
  const head = `There is no cell ${nameInMessage(reference)} in ${path}.`;
  if (cells.length === 0)
    return new ToolError('no_match', `${head} It has no cells; leave cell_id out to insert the first.`);
  const listed = cells.slice(0, maxListed).map(({ name }) => nameInMessage(name));
  const rest = cells.length > listed.length ? ` and ${cells.length - listed.length} more` : '';
  const names = cells.slice(0, maxNear).map(({ name }) => name);
  return new ToolError(
    'no_match',
    `${head}${didYouMean(reference, names)} Its cells are ${listed.join(', ')}${rest}. Pass the id of one of ` +
      'them, as Read shows it.',
    { metadata: { cellCount: cells.length } },
  );
}

function notUnique({ path, cells }: Notebook, reference: string, named: readonly NotebookCell[]): ToolError {
  const taken = new Set(cells.map(({ name }) => name));
  const places = named
    .slice(0, maxListed)
    .map(({ index }) => (taken.has(`cell-${index}`) ? String(index) : `cell-${index}`));
  return new ToolError(
    'not_unique',
    `${named.length} cells of ${path} are called ${nameInMessage(reference)}. Pass the place of the right one in place ` +
      `of its id: ${places.join(', ')}.`,
    { metadata: { count: named.length } },
  );
}

function nameInMessage(name: string): string {
  const short = name.length > maxNameChars ? `${name.slice(0, maxNameChars)}…` : name;
  return /^[\w-]+$/.test(short) ? short : JSON.stringify(short.toWellFormed());
}
