import {
  assertNeeded,
  assertOptions,
  having,
  kindOf,
  type OptionKind,
  orFalse,
  timersKind,
} from '../../core/support/check-values.js';
import { hostKinds } from '../../ports/check-hosts.js';

const { files, shell, documents, images, http, search, summarizer, userInput, config, todos, tasks: board } = hostKinds;
const tool = having('a tool', 'execute');
/** The kind of each dependency, by name. The tools share these names. */
const kinds: Readonly<Record<string, OptionKind<unknown>>> = {
  ...{ files, shell, documents, images, http, search, summarizer, userInput, config, todos, board },
  limits: { ...kindOf.record, takes: 'the limits of its group, such as defaultLimits.read' },
  ledger: having('a ReadLedger', 'note', 'compare'),
  changes: having('a FileChanges', 'of', 'add'),
  tasks: having('a TaskManager', 'list'),
  agents: having('a SubagentManager', 'run', 'list'),
  planMode: kindOf.record,
  client: having('a client of MCP servers', 'callTool'),
  pages: having('a cache of pages', 'get', 'set'),
  syntax: having('a SyntaxChecker', 'newErrors'),
  scrub: orFalse(kindOf.callback),
  timers: timersKind,
  timeoutMs: kindOf.milliseconds,
  paths: kindOf.record,
  deadline: kindOf.record,
  ...{ read: tool, list: tool, namesUnchanged: kindOf.flag, readBeforeWrite: kindOf.flag },
  ...{ autoBackground: kindOf.flag, interactive: kindOf.flag, hidesSecrets: kindOf.flag, keepsFolder: kindOf.flag },
  timeoutAdvice: kindOf.text,
  ...{ secretOf: kindOf.callback, shown: kindOf.callback },
  ...{ assess: kindOf.callback, mayFollow: kindOf.callback, learn: kindOf.callback, onWritten: kindOf.callback },
  ...{ teams: kindOf.callback, sessions: kindOf.callback, catalogue: kindOf.callback, saveBytes: kindOf.callback },
  endSession: kindOf.callback,
};

/**
 * Checks the dependencies that were passed to a factory. Throws a TypeError for a missing dependency that the factory
 * `needs`, for a name that no tool knows, and for a value of the wrong kind.
 */
export function dependenciesOf<Given extends object>(
  factory: string,
  given: Given,
  ...needs: readonly (keyof Given & string)[]
): Given {
  assertOptions(factory, given, kinds);
  assertNeeded(factory, given, ...needs);
  return given;
}
