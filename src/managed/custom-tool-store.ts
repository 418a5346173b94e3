import { ToolError } from '../core/error.js';
import type { StoredCustomTool } from '../ports/custom-tool-store.js';
import type { SecretBox } from './aes-gcm-box.js';

/** The channel of a {@link ChangeBus} that tells of changes of custom tools. */
export const customToolsChannel = 'cache:custom_tools';

/** What the variables of a custom tool are sealed for: they open for this tool alone. */
export function placeOfEnv(id: string): string {
  return `custom_tools/${id}/env`;
}

/** The error for a tool that somebody else has changed since it was read. */
export function changedTool(name: string): ToolError {
  const message = `The custom tool ${name} is not the one that was read. Read it again, then repeat the change.`;
  return new ToolError('file_changed', message);
}

/** A definition with its sealed variables opened; one whose variables do not open is switched off, and says why. */
export function openedTool(
  { id, version, definition }: StoredCustomTool,
  sealed: string,
  box: SecretBox | undefined,
): StoredCustomTool {
  try {
    if (box === undefined) throw noBox(definition.name);
    const env = JSON.parse(box.open(sealed, placeOfEnv(id)));
    return { id, version, definition: { ...definition, env } };
  } catch (thrown) {
    return { id, version, definition: { ...definition, enabled: false }, problem: ToolError.from(thrown).message };
  }
}

/** The error for secrets where there is nothing to seal them with. */
export function noBox(name: string): ToolError {
  const next = 'write managedStores(client, { box: aesGcmBox({ keys, current }) })';
  return new ToolError('not_configured', `The env of ${name} is secret, and the store has no box for it; ${next}.`);
}
