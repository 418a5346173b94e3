import { createPermissions, createScrubber, createToolkit } from 'toolwright';
import type { ToolDefinitionJson } from 'toolwright/core';
import { anthropicModel } from './anthropic-model.js';
import { askAtTerminal, type Keyboard } from './ask-at-terminal.js';
import type { Model } from './model.js';
import { openAIModel } from './openai-model.js';
import { postJson } from './post-json.js';
import { type AgentOutcome, runAgent } from './run-agent.js';
import type { Screen } from './screen.js';

/** The options of a live run on the command line. */
export interface LiveOptions {
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly task: string;
  readonly provider: Provider;
  readonly allow: readonly string[];
  readonly maxTurns: number;
  readonly keyboard: Keyboard;
}

/** A model server and its key. */
export interface Provider {
  readonly kind: 'anthropic' | 'openai';
  readonly key: string;
  readonly baseUrl: string;
  readonly model: string;
}

/**
 * The provider for which the environment has a key. With both keys it is Anthropic, unless `wanted` names one.
 */
export function findProvider(env: NodeJS.ProcessEnv, wanted?: string, model?: string): Provider | undefined {
  if (env.ANTHROPIC_API_KEY && (wanted === undefined || wanted === 'anthropic')) {
    const baseUrl = env.ANTHROPIC_BASE_URL || 'https://api.anthropic.com';
    return {
      kind: 'anthropic',
      key: env.ANTHROPIC_API_KEY,
      baseUrl,
      model: model ?? (env.ANTHROPIC_MODEL || 'claude-sonnet-5-5'),
    };
  }
  if (env.OPENAI_API_KEY && (wanted === undefined || wanted === 'openai')) {
    const baseUrl = env.OPENAI_BASE_URL || 'https://api.openai.com/v1';
    return { kind: 'openai', key: env.OPENAI_API_KEY, baseUrl, model: model ?? (env.OPENAI_MODEL || 'gpt-6.1-sol') };
  }
  return undefined;
}

/** Lets a real model work in a real folder, and asks at the terminal before each call that no rule allows. */
export async function runLive(options: LiveOptions, screen: Screen, signal: AbortSignal): Promise<AgentOutcome> {
  const { root, task, provider, allow, maxTurns, keyboard } = options;
  const toolkit = createToolkit({
    root,
    permissions: createPermissions({
      root,
      allow,
      onAsk: (request, scope) => askAtTerminal(request, keyboard, screen, scope.signal),
    }),
    scrubber: createScrubber({ values: [provider.key] }),
  });
  try {
    return await runAgent({ model: connect(provider, toolkit.definitions()), toolkit, screen, task, maxTurns, signal });
  } finally {
    await toolkit.dispose();
  }
}

/** Starts a conversation with a model of the provider. */
export function connect({ kind, key, baseUrl, model }: Provider, definitions: readonly ToolDefinitionJson[]): Model {
  const base = baseUrl.replace(/\/+$/, '');
  if (kind === 'anthropic') {
    const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
    return anthropicModel(model, definitions, (body, signal) =>
      postJson({ url: `${base}/v1/messages`, headers }, body, signal),
    );
  }
  const headers = { authorization: `Bearer ${key}` };
  return openAIModel(model, definitions, (body, signal) =>
    postJson({ url: `${base}/chat/completions`, headers }, body, signal),
  );
}
