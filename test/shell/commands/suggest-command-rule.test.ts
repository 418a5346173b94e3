import { expect } from 'vitest';
import { parseCommandRule } from '../../../src/shell/assess/command-rule.js';
import { isCovered } from '../../../src/shell/assess/match-command-rule.js';
import { suggestRules } from '../../../src/shell/assess/suggest-command-rules.js';
import { readCommand } from '../../../src/shell/parse/read-command.js';
import { samples, table } from '../../support/each-row.js';

table([
  ['make test', ['make test']],
  ['npm run build', ['npm run build']],
  ['pnpm lint --fix', ['pnpm lint --fix']],
  ['yarn build', ['yarn build']],
  ['cd app && npm test', ['cd app', 'npm test']],
  ["git commit -m 'a b'", ["git commit -m 'a b'"]],
  ['echo "it\'s *"', ["echo 'it'\\''s *'"]],
  ['npm test; npm test', ['npm test']],
  ['timeout 60 make test', ['timeout 60 make test']],
  ['npx tsc -p .', ['npx tsc -p .']],
  ['uv run pytest -q', ['uv run pytest -q']],
  ['poetry run pytest', ['poetry run pytest']],
  ['npm exec prettier x', ['npm exec prettier x']],
  ['timeout 9 npx tsc', ['timeout 9 npx tsc']],
  ['pnpm dlx x', ['pnpm dlx x']],
  ['uvx ruff', ['uvx ruff']],
  ['go run .', ['go run .']],
  ['cargo run', ['cargo run']],
  ['npm run a:b', ['npm run a:b']],
  ["echo 'x:'", ["echo 'x:'"]],
])('a command is remembered by its exact words', (command, rules) => {
  expect(suggestRules(readCommand(command))).toEqual(rules);
  expect(isCovered(readCommand(command), rules.map(parseCommandRule))).toBe(true);
});

table([
  ...samples`
    node x.js ¦ python3 -c 1 ¦ perl -e 1 ¦ awk 1 a ¦ deno run x ¦ bun x.ts ¦ docker run alpine ls
    docker exec box ls ¦ podman run x ¦ kubectl exec pod -- ls ¦ timeout 5 node x.js ¦ npx node x.js
    uv run python x.py ¦ npx -c "make x" ¦ npx --unknown a tsc ¦ sudo make test
    bash -c "make test" ¦ bash script.sh ¦ eval x ¦ xargs rm ¦ env make test ¦ make $TARGET ¦ make > log ¦ ls *.ts
    A=1 make ¦ make $(x) ¦ make "unterminated ¦ find . -exec rm {} + ¦ $X
  `,
  'npm.cmd publish \u2800',
  'ls \ud800',
  'npm.cmd publish \u2800',
  'ls \ud800',
  '',
])('is not remembered', (command) => expect(suggestRules(readCommand(command))).toEqual([]));

table([
  ['make test', 'make install'],
  ['make test', 'make test x'],
  ['npm run build', 'npm run build2'],
  ["echo '*'", 'echo x'],
  ["echo 'a b'", 'echo a b'],
  ["npm run 'x *'", 'npm run x y'],
  ["npm run 'x:*'", 'npm run x y'],
  ['git commit -m "a"', 'git commit -m "b"'],
])('remembering one command does not allow another', (approved, other) => {
  const rules = suggestRules(readCommand(approved)).map(parseCommandRule);
  expect(rules.length).toBe(1);
  expect(isCovered(readCommand(other), rules)).toBe(false);
});
