import { attachmentNote, attachmentsOf, contextText, resultText } from '../../../src/adapters/result-text.js';
import { isSendableImage } from '../../../src/adapters/sendable-media.js';
import type { ToolCallResult } from '../../../src/core/call.js';
import type { Driver, ModelReads } from '../driver.js';

/** `toolkit.execute` without a framework, the reference for the others. */
export const executed: Driver = {
  name: 'execute',
  async step({ toolkit }, calls, signal) {
    const { results } = await toolkit.execute(calls, { signal });
    return Object.fromEntries(results.map((result) => [result.callId, reads(result)]));
  },
};

function reads(result: ToolCallResult): ModelReads {
  const attachments = attachmentsOf(result);
  const notes = attachments.filter((one) => !isSendableImage(one)).map(attachmentNote);
  const text = [resultText(result), contextText(result), ...notes].filter((part) => part !== '').join('\n');
  return { text, images: attachments.length - notes.length, isError: !result.ok };
}
