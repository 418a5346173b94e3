import { expect, test } from 'vitest';
import { viewNotebook } from '../../src/editing/notebook/view.js';
import { eachRow } from '../support/each-row.js';

const notebook = (cells: readonly unknown[]) => JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 });

test('other text is not a notebook', () =>
  eachRow(['', '{]', '[]', '{}', '{"cells":[]}', '{"cells":{},"nbformat":4}', 'null'], (json) =>
    expect(viewNotebook(json)).toBeUndefined(),
  ));

test('a notebook without cells is shown as such', () =>
  expect(viewNotebook(notebook([]))?.text).toBe('[The notebook has no cells]'));

test('invalid cells are shown as far as possible', () => {
  const view = viewNotebook(
    notebook([null, 5, {}, { source: 7 }, { cell_type: 'raw', source: 'x', outputs: [null, {}] }]),
  );
  expect(view?.cellCount).toBe(5);
  expect(view?.text).toContain('[Cell cell-4: raw]\nx');
});

test('images beyond the tenth are named and not attached', () => {
  const outputs = Array.from({ length: 12 }, () => ({ output_type: 'display_data', data: { 'image/png': 'eA==' } }));
  const view = viewNotebook(notebook([{ cell_type: 'code', id: 'c', source: '', outputs }]));
  expect(view?.images).toHaveLength(10);
  expect(view?.text.match(/not attached/g)).toHaveLength(2);
});

test('a stream output is shown as a terminal would show it', () => {
  const frames = Array.from({ length: 100 }, (_, frame) => `\r${frame + 1} of 100`);
  const outputs: unknown[] = [{ output_type: 'stream', name: 'stderr', text: ['load\n', ...frames, '\n'] }];
  outputs.push({ output_type: 'execute_result', data: { 'text/plain': ['10\r20\u001b[1G30\n'] } });
  const view = viewNotebook(notebook([{ cell_type: 'code', id: 'c', source: '', outputs }]));
  expect(view?.text).toContain('[Output of c]\n30');
  expect(view?.text).toContain('[Output of c]\nload\n100 of 100');
  expect(view?.text).not.toMatch(/\r| 99 of|\b1 of/);
});
