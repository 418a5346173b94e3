import type { Model, Reply } from '../agent-loop/model.js';

/**
 * A model to try the server without a key: `save TEXT` writes a note, `run COMMAND` runs a command, and it answers
 * anything else with text. For a real model use `anthropicModel` or `openaiModel` of the agent loop.
 */
export function chatModel(root: string): Model {
  let calls = 0;
  const reply = (text: string, call?: readonly [name: string, input: object]): Reply => ({
    text,
    calls: call === undefined ? [] : [{ id: `call_${++calls}`, name: call[0], input: call[1] }],
  });
  return {
    ask: async (task) => {
      const [, verb, rest = ''] = /^(save|run) (.*)$/s.exec(task) ?? [];
      if (verb === 'save')
        return reply('I write that down.', ['Write', { file_path: `${root}/note.txt`, content: `${rest}\n` }]);
      if (verb === 'run') return reply('I run that.', ['Bash', { command: rest }]);
      return reply(`You said: ${task}`);
    },
    answer: async (results) => reply(results.map(({ output }) => output).join('\n')),
  };
}
