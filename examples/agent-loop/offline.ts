import {
  type AskAnswer,
  createPermissions,
  createToolkit,
  type PermissionRequest,
  type ToolCallResult,
  type Toolkit,
} from 'toolwright';
import { anthropicModel } from './anthropic-model.js';
import type { Send } from './model.js';
import { runAgent } from './run-agent.js';
import type { Screen } from './screen.js';
import { scriptedAnthropic } from './scripted-model.js';
import { copyProject, type Workspace } from './workspace.js';

/** Lets the scripted model repair a copy of `project`, and returns all failed checks. */
export async function runOffline(project: string, screen: Screen, signal: AbortSignal): Promise<string[]> {
  const workspace = await copyProject(project);
  try {
    screen.say(`A scripted model repairs ${workspace.root}`);
    return await repair(workspace, screen, signal);
  } finally {
    await workspace.remove();
  }
}

/** The setting of the scripted model. */
export function offlineToolkit(root: string, onAsk: (request: PermissionRequest) => Promise<AskAnswer>): Toolkit {
  return createToolkit({
    root,
    permissions: createPermissions({ root, allow: ['Bash(node --test)'], onAsk }),
    hooks: {
      PostToolUse: [
        { matcher: 'Edit|Write', hooks: [() => ({ additionalContext: 'Files changed; verify with `node --test`.' })] },
      ],
    },
  });
}

async function repair(workspace: Workspace, screen: Screen, signal: AbortSignal): Promise<string[]> {
  const asked: string[] = [];
  const toolkit = offlineToolkit(workspace.root, async (request) => {
    asked.push(request.tool);
    return answerByRule(request, screen);
  });
  const failedBefore = (await workspace.testExitCode()) !== 0;
  const wire: string[] = [];
  const model = anthropicModel('scripted', toolkit.definitions(), recorded(scriptedAnthropic(workspace.root), wire));
  try {
    const { ending, results } = await runAgent({
      model,
      toolkit,
      screen,
      task: 'The tests fail. Repair the project.',
      maxTurns: 12,
      signal,
    });
    const sent = wire.join('\n');
    return problemsOf({
      'the tests failed before': failedBefore,
      'the tests pass now': (await workspace.testExitCode()) === 0,
      'nobody touched the tests': await workspace.hasOriginalTests(),
      'the model came to its end': ending === 'done',
      'every call that the model needed worked': results.length >= 6 && results.every((result) => result.ok),
      'the first run of the tests failed and the last one passed': firstAndLastExitCode(results) === '1,0',
      'somebody was asked for the one edit, and for nothing else': asked.join() === 'Edit',
      'the key came out as [REDACTED]': results.some(({ output }) => output.includes('"taxService": "[REDACTED]"')),
      'the key reached neither model nor results': ![sent, JSON.stringify(results)].some((text) =>
        text.includes(workspace.secret),
      ),
      'the model read what the hook added': sent.includes('verify with `node --test`'),
    });
  } finally {
    await toolkit.dispose();
  }
}

/** Replaces the person at the keyboard: only edits of sources are allowed. */
function answerByRule(request: PermissionRequest, screen: Screen): 'allow-once' | 'deny' {
  screen.request(request);
  const [target] = request.targets ?? [];
  const isSource = request.tool === 'Edit' && target?.kind === 'edit' && target.path.includes('/src/');
  screen.decision(
    isSource,
    isSource ? 'this time, because it is an edit below src/' : 'only edits below src/ are answered with yes here',
  );
  return isSource ? 'allow-once' : 'deny';
}

/** The same connection, with a copy of every request. */
function recorded(send: Send, wire: string[]): Send {
  return (body, signal) => {
    wire.push(JSON.stringify(body));
    return send(body, signal);
  };
}

function firstAndLastExitCode(results: readonly ToolCallResult[]): string {
  const codes = results.filter(({ name }) => name === 'Bash').map(({ metadata }) => metadata?.exitCode);
  return [codes.at(0), codes.at(-1)].join();
}

function problemsOf(checks: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(checks).flatMap(([expectation, holds]) => (holds ? [] : expectation));
}
