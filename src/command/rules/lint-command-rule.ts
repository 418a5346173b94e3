import { programOf } from '../programs/programs.js';
import { parseCommandRule } from './command-rule.js';

const runsOthers = new Set(
  `find fd xargs parallel make gmake just task ninja docker podman nerdctl kubectl ssh git npm pnpm yarn bun deno
    cargo go gradle mvn ant rake su watch script flock crontab at vim vi nvim nano emacs less man tar rsync zip sed
    tmux screen gdb terraform ansible ansible-playbook vagrant eval source . exec command trap alias sqlite3 psql
    mysql systemctl openssl pip pip3 gem apt apt-get brew dnf yum nmap ftp socat nc ncat telnet curl wget`.split(/\s+/),
);
const harmlessSubcommands =
  /^(?:npm|pnpm|yarn|bun) (?:run|test|run-script) \S|^(?:npm|pnpm|yarn) (?:test|ci|ls|view|why|outdated|audit)$|^git (?:status|add|commit|log|diff|show|branch|fetch|pull|push|stash|blame|tag|merge|checkout|switch|restore)$|^cargo (?:check|clippy|fmt|build|test)$|^go (?:vet|build|fmt|list|mod)$|^(?:docker|podman) (?:ps|images|logs)$|^kubectl (?:get|describe|logs)$/;

const destroyers = new Set(['rm', 'shred', 'unlink', 'truncate', 'dd']);

/**
 * A warning for an allow rule that in truth allows any code to run (`node *`, `npm run *`, `find *`, `*`) or any file
 * to be deleted, otherwise `undefined`.
 */
export function lintRule(spec: string): string | undefined {
  const rule = parseCommandRule(spec);
  const [program, ...rest] = rule.words;
  if (!program) return 'It covers every command.';
  if (program.pattern) return 'A pattern as the program covers programs you do not think of.';
  const open = rule.more || rest.some((word) => word.pattern);
  if (!open) return undefined;
  const name = program.value.replace(/^.*\//s, '');
  const fixed = [name, ...rest.filter((word) => !word.pattern).map((word) => word.value)].join(' ');
  const first = programOf(name)?.operands[0];
  const isFixed = rest[0]?.pattern === false && !rest[0].value.startsWith('-');
  if (first === 'codePath' && isFixed && !/^(?:deno|bun) (?:run|test|task)$/.test(fixed)) return undefined;
  if (destroyers.has(name) && rest.every((word) => word.value.startsWith('-')))
    return `${name} destroys any file it is given.`;
  if (first === 'codePath' || first === 'code' || first === 'command') return `${name} runs any code it is given.`;
  const runs = programOf(fixed) ?? programOf(name);
  if ((runs?.operands.includes('program') || runsOthers.has(name)) && !harmlessSubcommands.test(fixed))
    return `${name} can run other programs or fetch code.`;
  return undefined;
}

/**
 * A note for an ask or deny rule that is narrower than it looks: exact words do not cover the same command with
 * operands.
 */
export function lintRestriction(spec: string): string | undefined {
  const rule = parseCommandRule(spec);
  if (rule.more || rule.words.length === 0 || rule.words.at(-1)?.pattern) return undefined;
  return `It covers only these words; write \`${spec.trim()} *\` to cover them with anything after.`;
}
