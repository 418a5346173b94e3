/** What a cell is called: its own id, or `cell-` and its place from 0 where it has none. */
export function cellName(id: unknown, index: number): string {
  return typeof id === 'string' && id !== '' ? id : `cell-${index}`;
}
