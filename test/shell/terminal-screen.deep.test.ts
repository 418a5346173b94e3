import { Terminal } from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalText } from '../../src/core/text/terminal.js';
import { eachRow } from '../support/each-row.js';
import { runs } from '../support/runs.js';

/** The final screen of a terminal, line by line. */
async function shown(output: string): Promise<string> {
  const terminal = new Terminal({ cols: 200, rows: 100, convertEol: true, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true).trimEnd() ?? '',
  );
  terminal.dispose();
  return lines.join('\n').trimEnd();
}

/** Our text without trailing blanks. The tab of curl is replaced by its tab stop. */
const ours = (output: string) => terminalText(output).replace(/\t/g, '    ').replace(/[ ]+$/gm, '').trimEnd();

type Share = readonly number[];
const bar = (share: number, width: number, full: string, rest: string) =>
  full.repeat(Math.floor(share * width)) + rest.repeat(width - Math.floor(share * width));
const percent = (share: number) => `${Math.floor(share * 100)}%`;
const esc = '\u001b[';

/** The sequences with which programs draw their progress, for given shares of the work. */
const programs: Readonly<Record<string, (shares: Share) => string>> = {
  tqdm: (shares) =>
    `${shares.map((s) => `\r${percent(s).padStart(4)}|${bar(s, 10, '█', ' ')}| ${Math.floor(s * 50)}/50 [00:01<00:02, 9.99it/s]`).join('')}\n`,
  'tqdm, nested': (shares) =>
    `${shares.map((s) => `\router: ${percent(s)}\n\rinner: ${percent(1 - s)}${esc}A`).join('')}\n\n`,
  npm: (shares) =>
    shares.map((s, i) => `${esc}1G${esc}0K${'⠋⠙⠹⠸'[i % 4]} ${'x'.repeat(Math.floor(s * 20))}`).join('') +
    `${esc}1G${esc}0Kadded 3 packages\n`,
  apt: (shares) =>
    shares.map((s) => `\r${percent(s)} [Working]`).join('') +
    '\r            \rFetched 10 kB\n' +
    shares.map((s) => `Reading package lists... ${percent(s)}\r`).join('') +
    'Reading package lists... Done\n',
  'apt, unpacking': (shares) =>
    `(Reading database ... ${shares.map((s) => `\r(Reading database ... ${percent(s)}`).join('')}\r(Reading database ... 100%\r(Reading database ... 12345 files installed.)\n`,
  pip: (shares) =>
    `${esc}?25l${shares.map((s) => `\r${esc}2K   ${esc}35m${bar(s, 40, '━', ' ')}${esc}0m ${esc}32m${Math.floor(s * 90)}/90 kB${esc}0m`).join('')}\r${esc}2K   ${bar(1, 40, '━', ' ')} 90/90 kB\n${esc}?25h`,
  cargo: (shares) =>
    shares.map((s) => `${esc}K    Building [${bar(s, 25, '=', ' ')}] ${Math.floor(s * 70)}/70\r`).join('') +
    `${esc}K    Finished dev in 1s\n`,
  docker: (shares) =>
    `one: Waiting\ntwo: Waiting\n${shares
      .map(
        (s) =>
          `${esc}2A${esc}2K\rone: Downloading ${percent(s)}${esc}1B\r${esc}2K\rtwo: Extracting ${percent(s / 2)}${esc}1B\r`,
      )
      .join('')}${esc}2A${esc}2K\rone: Done\n${esc}2K\rtwo: Done\n`,
  mkfs: (shares) =>
    `Writing inode tables: ${shares.map((s) => `${String(Math.floor(s * 80)).padStart(3)}/80\b\b\b\b\b\b`).join('')}done                            \n`,
  ora: (shares) =>
    `${esc}?25l${shares.map((s, i) => `${esc}2K${esc}1G${esc}36m${'⠋⠙⠹⠸'[i % 4]}${esc}39m load ${percent(s)}`).join('')}${esc}2K${esc}1G✔ loaded\n${esc}?25h`,
  'ora, two lines': (shares) =>
    `${shares.map((s) => `${esc}2K${esc}1A${esc}2K${esc}G- first ${percent(s)}\nsecond ${percent(s)}`).join('')}\n`,
  'saved cursor': (shares) => `at ${esc}s${shares.map((s) => `${esc}u${percent(s)}${esc}K`).join('')}\n`,
  wget: (shares) =>
    `${shares.map((s) => `\rfile.tar ${percent(s).padStart(4)}[${bar(s, 20, '=', ' ')}] ${Math.floor(s * 9)}.0M`).join('')}\n`,
  curl: (shares) =>
    `  % Total    % Received\n${shares.map((s) => `\r${percent(s).padEnd(4)}\t${Math.floor(s * 99)}M`).join('')}\n`,
};

test('progress output gives the same text as a terminal, for any end', async () => {
  const recordings = Object.entries(programs).flatMap(([name, draw]) =>
    Array.from({ length: 15 }, (_, round) => {
      const steps = 1 + round * 3;
      const shares = Array.from({ length: steps }, (_, step) => ((step * 7 + round) % (steps + 3)) / (steps + 2));
      const output = draw(shares);
      return { name: `${name}, ${steps} steps`, output: round % 3 === 2 ? output.slice(0, -(1 + round)) : output };
    }),
  );
  expect(recordings.length).toBeGreaterThan(200);
  await eachRow(recordings, async ({ output }) => expect(ours(output)).toBe(await shown(output)));
});

test('any mixture of text and cursor moves gives the text of a terminal', async () => {
  const moves = 'G 4G 3` C 3C 2D 00002D K 1K 2K ?K A F B 2E e J s u X m 31m ?25l'.split(' ').map((end) => esc + end);
  const text = ['a', 'bc', '10', '% ', '日', 'e\u0301', '\n', '\r', '\b', '\b\b\b', '\u001b7', '\u001b8'];
  const piece = fc.constantFrom(...text, ...moves);
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const output = `first\nsecond\n${pieces.join('')}`;
      expect(ours(output)).toBe(await shown(output));
    }),
    { numRuns: runs(2_000) },
  );
});

test('for any sequence, the text around it equals that of a terminal or is on its own line', async () => {
  const from = (first: string, last: string) =>
    Array.from({ length: last.charCodeAt(0) - first.charCodeAt(0) + 1 }, (_, at) =>
      String.fromCharCode(first.charCodeAt(0) + at),
    );
  const parameters = ['', '1', '2', '4', '1049', '99999'];
  // Without unterminated control strings, and without moves past the edge of a screen of unknown width.
  const sequences = [
    ...from('@', '~').flatMap((final) =>
      ['', '?', '>'].flatMap((mark) => parameters.map((each) => `${esc}${mark}${each}${final}`)),
    ),
    ...from('@', '~').flatMap((final) => [`${esc}2 ${final}`, `${esc}2$${final}`, `${esc}!${final}`]),
    ...from('0', '~').flatMap((final) => ('[]PX^_'.includes(final) ? [] : [`\u001b${final}`, `\u001b#${final}`])),
  ].filter((one) => !/(?:1049|99999)[@CG`ab]$/.test(one));
  await eachRow(
    sequences.flatMap((one) => [`top\n10${one}20`, `top\n10\r${one}5`, `10 of 99\r${one}\r20`, `${one}10\u001b[A20`]),
    async (output) => {
      const lines = ours(output).split('\n');
      const apart =
        lines.some((line) => /^10(?: of 99)?$/.test(line)) && lines.some((line) => /^ *(?:20|5)$/.test(line));
      if (!apart) expect(lines.join('\n')).toBe(await shown(output));
    },
  );
});
