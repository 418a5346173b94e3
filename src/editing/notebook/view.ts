import { ifPossible, isRecord } from '../../core/support/check-values.js';
import { terminalText } from '../../core/text/terminal.js';

const maxImages = 10;

interface NotebookImage {
  readonly bytes: Uint8Array;
  readonly name: string;
}

/** The name of a cell: its id, or `cell-` and its index from 0. */
export function cellName(id: unknown, index: number): string {
  return typeof id === 'string' && id !== '' ? id : `cell-${index}`;
}

/** The cells of a Jupyter notebook (nbformat 4) as text, and the images of outputs; undefined for other JSON. */
export function viewNotebook(json: string) {
  const notebook = ifPossible((): unknown => JSON.parse(json.replace(/^\ufeff/, '')));
  if (!isRecord(notebook) || !Array.isArray(notebook.cells) || typeof notebook.nbformat !== 'number') return undefined;
  const images: NotebookImage[] = [];
  const cells = notebook.cells.map((cell: unknown, index) => viewCell(isRecord(cell) ? cell : {}, index, images));
  return {
    text: cells.length === 0 ? '[The notebook has no cells]' : cells.join('\n\n'),
    cellCount: cells.length,
    images,
  };
}

function viewCell(cell: Readonly<Record<string, unknown>>, index: number, images: NotebookImage[]): string {
  const id = cellName(cell.id, index);
  const kind = typeof cell.cell_type === 'string' ? cell.cell_type : 'unknown';
  const run = typeof cell.execution_count === 'number' ? `, run ${cell.execution_count}` : '';
  const outputs = Array.isArray(cell.outputs)
    ? cell.outputs.map((output: unknown) => viewOutput(isRecord(output) ? output : {}, id, images))
    : [];
  const shown = outputs.filter((output) => output !== '');
  const printed = shown.map((output) => `\n[Output of ${id}]\n${output}`).join('');
  return `[Cell ${id}: ${kind}${run}]\n${joined(cell.source)}${printed}`;
}

function viewOutput(output: Readonly<Record<string, unknown>>, cell: string, images: NotebookImage[]): string {
  if (output.output_type === 'stream') return trimmed(terminalText(joined(output.text)));
  if (output.output_type === 'error')
    return trimmed(terminalText(joined(output.traceback, '\n')) || `${output.ename}: ${output.evalue}`);
  const data = isRecord(output.data) ? output.data : {};
  const image = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].find((type) => data[type] !== undefined);
  const text = data['text/markdown'] ?? data['text/plain'] ?? data['text/latex'] ?? data['text/html'];
  if (image === undefined) return text === undefined ? '' : trimmed(terminalText(joined(text)));
  if (images.length >= maxImages) return `[${image}, not attached]`;
  const name = `${cell}-${images.length + 1}`;
  images.push({ bytes: Buffer.from(joined(data[image]), 'base64'), name });
  return `[${image}: ${name}]`;
}

// nbformat stores text as one string or as a list of lines that keep their breaks.
function joined(value: unknown, separator = ''): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return value === undefined ? '' : JSON.stringify(value);
  return value.map(String).join(separator);
}

function trimmed(text: string): string {
  return text.replace(/\n+$/, '');
}
