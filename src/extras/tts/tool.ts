import type { output } from 'zod/v4/core';
import type { Toolkit } from '../../core/registry/toolkit.js';
import { choice, inputObject, number, optional, words } from '../../core/schema/fields.js';
import { assertMethods } from '../../core/support/check-values.js';
import { lazily } from '../../core/support/once.js';
import { generatedFile } from '../../core/text/path-names.js';
import { Tool } from '../../core/tool.js';
import type { ToolResult } from '../../core/tool-result.js';
import { askHost } from '../../ports/ask-host.js';
import { type Speech, soundFormat, soundFormats } from './speech.js';

const timeoutMs = 300_000;
const maxTextChars = 4_000;

const input = lazily(() =>
  inputObject({
    text: words(maxTextChars, `What to say, at most ${maxTextChars} characters`),
    voice: optional(words(100, 'As the service names it. Default: the voice of the service')),
    format: optional(choice(soundFormats)),
    speed: optional(number('0.5 to 2. Default 1', { minimum: 0.5, maximum: 2 })),
  }),
);
type TtsInput = output<ReturnType<typeof input>>;

/**
 * The tool `tts`: speaks a text into a new file in `generated/` of the workspace. Calls ask for permission like calls
 * of other web tools. Rules for `Edit` apply to the file. Credentials are removed from the text. Throws a TypeError for
 * invalid arguments.
 */
export function ttsTool(speech: Speech, toolkit: Pick<Toolkit, 'scrub' | 'files'>): Tool<TtsInput> {
  const write = 'ttsTool(localSpeech(), toolkit)';
  assertMethods('ttsTool takes a speech service', speech, ['speak'], write);
  assertMethods('ttsTool takes a toolkit last', toolkit, ['scrub'], write);
  const { files, scrub } = toolkit;
  const pathOf = (text: string, format: string) => generatedFile(files.root, scrub(text), 'speech', format);
  const pathsOf = ({ text, format }: TtsInput) =>
    (format === undefined ? soundFormats : [format]).map((one) => pathOf(text, one));
  return Tool.define('tts', {
    description: 'Speak a text. The sound is saved as a new file below generated/; the result has its path.',
    input: input(),
    examples: [{ text: 'The build is done.' }],
    sideEffect: 'network',
    title: ({ text }) => `Speak: ${text}`,
    preview: (given) => [scrub(given.text), `Into a new file such as ${pathsOf(given)[0]}`].join('\n'),
    targets: (given) => pathsOf(given).map((path) => ({ kind: 'edit', path })),
    footprint: (given) => ({ reads: 'nothing', writes: pathsOf(given) }),
    async execute({ text, voice, format, speed }, context): Promise<ToolResult> {
      const request = { text: scrub(text), voice: voice && scrub(voice), format, speed };
      const asked = { port: 'the speech service', timeoutMs };
      const sound = await askHost(asked, context, (scope) => speech.speak(request, scope));
      const made = soundFormat(sound, format, 'The speech service');
      const path = await files.create(pathOf(text, made), sound, context);
      return {
        output: `Spoken into ${path} (${made}, ${sound.byteLength} bytes)`,
        metadata: { filePath: path, format: made, size: sound.byteLength },
      };
    },
  });
}
