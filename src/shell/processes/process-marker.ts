/** The environment variable by which the processes of a command are found again after they left its group. */
export const markerName = 'TOOLWRIGHT_SHELL';

const maxOuterMarkers = 8;

/**
 * The value for one command: the marks of the shells around this one, then `owner.run`.
 * A shell that runs inside another so stays visible to it.
 */
export function markerValue(owner: string, run: number, outer: string | undefined): string {
  const kept = (outer ?? '').split(':').filter(Boolean).slice(-maxOuterMarkers);
  return [...kept, `${owner}.${run}`].join(':');
}

/** The marks in an environment as /proc shows it, outermost first. */
export function marksIn(environment: string): readonly { readonly owner: string; readonly run: number }[] {
  const value = environment.split('\0').find((entry) => entry.startsWith(`${markerName}=`));
  if (value === undefined) return [];
  return value
    .slice(markerName.length + 1)
    .split(':')
    .map((mark) => ({
      owner: mark.slice(0, mark.lastIndexOf('.')),
      run: Number(mark.slice(mark.lastIndexOf('.') + 1)),
    }));
}
