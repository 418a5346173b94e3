export { type AesGcmBoxOptions, aesGcmBox, type SecretBox } from './aes-gcm-box.js';
export { customTool } from './custom-tool.js';
export type { CustomToolDefinition } from './custom-tool-definition.js';
