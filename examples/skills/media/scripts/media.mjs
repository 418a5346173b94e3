// Sends files to Gemini one after the other, and prints its answers. See SKILL.md.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const tasks = {
  describe: 'Describe what is in this file, in a few sentences.',
  text: 'Write down all text in this file, as it stands there, and nothing else.',
  transcribe: 'Write down what is said in this file, word for word, with the speaker where that is clear.',
};
const formats = {
  text: (results) => results.map(({ file, text, error }) => `${file}: ${text ?? `failed: ${error}`}`).join('\n\n'),
  json: (results) => JSON.stringify(results, undefined, 2),
  markdown: (results) =>
    results.map(({ file, text, error }) => `## ${file}\n\n${text ?? `*Failed: ${error}*`}`).join('\n\n'),
};
// A request may have 20 MB, and base64 needs a third more than the file.
const maxBytes = 14_000_000;
const timeoutMs = 120_000;

/** Media types, and the bytes that identify them. */
const signatures = [
  ['image/png', 0, '\x89PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['audio/wav', 8, 'WAVE'],
  ['audio/mp3', 0, 'ID3'],
  ['audio/mp3', 0, '\xff\xfb'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/ogg', 0, 'OggS'],
  ['video/quicktime', 4, 'ftypqt'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, '\x1a\x45\xdf\xa3'],
  ['application/pdf', 0, '%PDF-'],
];

function mediaTypeOf(bytes) {
  const head = bytes.subarray(0, 32).toString('latin1');
  return signatures.find(([, at, mark]) => head.startsWith(mark, at))?.[0];
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    task: { type: 'string', default: 'describe' },
    prompt: { type: 'string' },
    format: { type: 'string', default: 'text' },
    output: { type: 'string' },
    model: { type: 'string', default: 'gemini-2.5-flash' },
  },
});
const prompt = values.prompt ?? tasks[values.task];
const format = formats[values.format];
const { GEMINI_API_KEYS = '', GEMINI_API_KEY = '', GEMINI_API_URL } = process.env;
let keys = `${GEMINI_API_KEYS},${GEMINI_API_KEY}`.split(',').filter((key) => key !== '');
if (prompt === undefined) fail(`--task takes ${Object.keys(tasks).join(', ')}`);
if (format === undefined) fail(`--format takes ${Object.keys(formats).join(', ')}`);
if (files.length === 0) fail('Name at least one file.');
if (keys.length === 0) fail('Set GEMINI_API_KEYS.');

const base = GEMINI_API_URL ?? 'https://generativelanguage.googleapis.com';
const address = new URL(`/v1beta/models/${encodeURIComponent(values.model)}:generateContent`, base);

/** Asks about one file. A key that is used up or refused is not tried again. */
async function ask(mediaType, bytes) {
  const media = { inline_data: { mime_type: mediaType, data: bytes.toString('base64') } };
  const body = JSON.stringify({ contents: [{ parts: [media, { text: prompt }] }] });
  for (;;) {
    const [key] = keys;
    if (key === undefined) throw new Error('no key is left: all are refused or used up');
    const headers = { 'content-type': 'application/json', 'x-goog-api-key': key };
    const response = await fetch(address, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return textOf(await response.json().catch(() => undefined));
    // Gemini answers 400 for an invalid key, and for other errors too.
    const isRefused = response.status === 400 && (await response.text()).includes('API_KEY_INVALID');
    if (!isRefused && ![401, 403, 429].includes(response.status))
      throw new Error(`the service answered ${response.status}`);
    keys = keys.slice(1);
  }
}

function textOf(answer) {
  const parts = answer?.candidates?.[0]?.content?.parts ?? [];
  const text = parts.map((part) => part?.text ?? '').join('');
  if (text === '')
    throw new Error(`the service gave no text (${answer?.candidates?.[0]?.finishReason ?? 'no reason'})`);
  return text.trim();
}

async function resultOf(file) {
  try {
    const bytes = await readFile(file);
    const mediaType = mediaTypeOf(bytes);
    if (mediaType === undefined) return { file, error: 'it is no picture, sound, video or PDF that is known' };
    if (bytes.length > maxBytes) return { file, error: `it has over ${maxBytes} bytes` };
    return { file, mediaType, text: await ask(mediaType, bytes) };
  } catch (thrown) {
    return { file, error: thrown.name === 'TimeoutError' ? `no answer within ${timeoutMs} ms` : thrown.message };
  }
}

const results = [];
for (const file of files) results.push(await resultOf(file));
const shown = `${format(results)}\n`;
if (values.output === undefined) process.stdout.write(shown);
else await writeFile(values.output, shown, { flag: 'wx' });
if (results.some(({ error }) => error !== undefined)) process.exitCode = 1;
