import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits, ToolError } from 'toolwright';
import { hostFiles, ReadLedger } from 'toolwright/files';
import { editTool, FileChanges, trackFiles, undoFileTool, undoTurnTool, writeTool } from 'toolwright/tools';
import { toolContext } from './call-scope.js';
import { temporaryFolder } from './temporary-folder.js';

/** A workspace with undo, and short functions for its calls. */
export function undoWorkspace(changes = new FileChanges(), root = temporaryFolder()) {
  const files = hostFiles({ root, limits: defaultLimits });
  const tracked = trackFiles(files, changes);
  const ledger = new ReadLedger();
  const limits = defaultLimits.write;
  const tools = {
    write: writeTool({ files: tracked, ledger, limits }),
    edit: editTool({ files: tracked, ledger, limits }),
    undoFile: undoFileTool({ files, changes, ledger, limits }),
    undoTurn: undoTurnTool({ files, changes, ledger, limits }),
  };
  const at = (name: string) => join(root, name);
  const context = (callId = 'c', sessionId = 's1') => toolContext({ callId, caller: { sessionId } });
  return {
    root,
    at,
    changes,
    files,
    tracked,
    tools,
    beginTurn: () => changes.beginTurn({ sessionId: 's1' }),
    text: (name: string) => readFileSync(at(name), 'utf8'),
    exists: (name: string) => statSync(at(name), { throwIfNoEntry: false }) !== undefined,
    write: (name: string, content: string) => tools.write.execute({ file_path: at(name), content }, context('w')),
    edit: (name: string, old_string: string, new_string: string) =>
      tools.edit.execute({ file_path: at(name), old_string, new_string }, context('e')),
    undoFile: (name: string, sessionId?: string) =>
      tools.undoFile.execute({ file_path: at(name) }, context('u', sessionId)),
    undoTurn: (sessionId?: string) => tools.undoTurn.execute({}, context('u', sessionId)),
  };
}

/** The error code of a call, or `ok`. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'ok',
    (thrown) => (ToolError.is(thrown) ? thrown.code : Promise.reject(thrown)),
  );
}
