import type { CallScope } from '../../src/core/context.js';
import type { Tool } from '../../src/core/tool.js';
import { callScope } from './call-scope.js';

/** The assessment of a call, with the preview as shown to a person. */
export async function assessed<Input>(
  tool: Tool<Input> | undefined,
  input: NoInfer<Input>,
  scope: CallScope = callScope(),
) {
  if (tool === undefined) throw new Error('unknown tool');
  const assessment = await tool.assess(input, scope);
  const { preview } = assessment;
  return { ...assessment, preview: typeof preview === 'function' ? await preview() : preview };
}
