export type { MessageAttachment, MessageChannel, Messenger, OutgoingMessage, SentMessage } from './messenger.js';
export { sessionMessenger } from './session-messenger.js';
export { messageTool } from './tool.js';
export { type Webhook, type WebhookMessengerOptions, webhookMessenger } from './webhook-messenger.js';
