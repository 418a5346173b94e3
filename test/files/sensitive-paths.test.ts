import { expect, test } from 'vitest';
import { sensitiveReason } from '../../src/files/sensitive-paths.js';

test.each([
  '/w/.git/hooks/post-merge',
  '/w/deep/er/.git/hooks/pre-commit',
  '/w/.GIT/Hooks/pre-push',
  '/w/.git/modules/x/hooks/y',
  '/w/.git/config',
  '/w/.gitattributes',
  '/w/.husky/pre-commit',
  '/home/u/.bashrc',
  '/home/u/.ZSHRC',
  '/home/u/.profile',
  '/home/u/.config/fish/config.fish',
  '/home/u/.ssh/authorized_keys',
  '/home/u/.aws/credentials',
  '/w/.npmrc',
  '/w/.mcp.json',
  '/w/.claude/settings.json',
  '/w/.vscode/tasks.json',
  '/w/.github/workflows/ci.yml',
  '/w/.pre-commit-config.yaml',
  'C:\\w\\.git\\hooks\\pre-commit',
  '/w/.\uff47it/hooks/pre-commit',
])('%s is asked for', (path) => expect(sensitiveReason(path)).toBeTypeOf('string'));

test.each([
  '/w/src/a.ts',
  '/w/git/hooks/x',
  '/w/.git-hooks.md',
  '/w/.gitignore',
  '/w/bashrc',
  '/w/src/hooks/use-state.ts',
  '/w/docs/.bashrc.md',
  '/w/.vscode/words.txt',
  '/w/.github/README.md',
  '/w/my.ssh/notes.txt',
  '/w/.env',
])('%s is a file like any other', (path) => expect(sensitiveReason(path)).toBeUndefined());
