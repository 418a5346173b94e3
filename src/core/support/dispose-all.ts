/** Disposes of each resource that has `dispose()`, in order; after a failure the others are still disposed of. */
export async function disposeAll(resources: readonly object[]): Promise<void> {
  const failures: unknown[] = [];
  for (const resource of resources) {
    try {
      if ('dispose' in resource) await (resource as { dispose(): Promise<void> | void }).dispose();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some resources could not be disposed');
}
