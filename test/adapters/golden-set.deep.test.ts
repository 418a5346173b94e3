import { expect, test } from 'vitest';
import { type Driver, drive, type Golden } from './driver.js';
import * as ai from './drivers/ai-sdk.js';
import { messages, toolRunner } from './drivers/anthropic.js';
import { executed } from './drivers/execute.js';
import { gemini } from './drivers/gemini.js';
import { toolNode } from './drivers/langchain.js';
import { claudeAgent, mcpServer } from './drivers/mcp.js';
import { chat, responses } from './drivers/openai.js';
import { agents } from './drivers/openai-agents.js';

const drivers: readonly Driver[] = [
  ai.generated,
  ai.streamed,
  agents,
  toolNode,
  messages,
  toolRunner,
  chat,
  responses,
  gemini,
  mcpServer,
  claudeAgent,
];

/** The results of execute, which all adapters must have. */
let reference: Promise<Golden> | undefined;

test.each(drivers)('the golden set has the same results through $name as through execute', async (driver) => {
  reference ??= drive(executed);
  const expected = await reference;
  const found = await drive(driver);
  expect(Object.keys(expected.calls)).toHaveLength(40);
  const { answersItself = {} } = driver;
  const comparable = ({ calls }: Golden) =>
    Object.fromEntries(
      Object.entries(calls).map(([id, { images, isError, ...rest }]) => [
        id,
        Object.hasOwn(answersItself, id)
          ? 'the framework'
          : { ...rest, ...(driver.hidesImages ? {} : { images }), ...(driver.hidesFailure ? {} : { isError }) },
      ]),
    );
  expect(comparable(found)).toEqual(comparable(expected));
  for (const [id, text] of Object.entries(answersItself)) expect(found.calls[id]?.text, id).toMatch(text);
  expect(found.tree).toEqual(expected.tree);
});
