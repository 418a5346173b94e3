import { createPermissions, createToolkit, type Toolkit } from 'toolwright';
import { memoryFiles } from 'toolwright/testing';

/** A question as shown to a person. */
export interface SeenQuestion {
  readonly title: string;
  readonly preview: string | undefined;
  readonly risk: string;
}

/** A toolkit over memory files whose questions are approved, and the list of questions. */
export function askingToolkit(
  files: NonNullable<NonNullable<Parameters<typeof memoryFiles>[0]>['files']> = {},
  options: Parameters<typeof createPermissions>[0] = {},
): { readonly toolkit: Toolkit; readonly asked: readonly SeenQuestion[] } {
  const asked: SeenQuestion[] = [];
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles({ root: '/workspace', files }) },
    features: { undo: true },
    permissions: createPermissions({
      onAsk: ({ title, preview, risk }) => {
        asked.push({ title, preview, risk });
        return 'allow-once';
      },
      ...options,
    }),
  });
  return { toolkit, asked };
}
