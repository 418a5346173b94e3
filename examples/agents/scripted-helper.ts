import type { AgentModel } from 'toolwright/agents';

/** A stand-in for a model that counts the lines which hold a word: its task is `Count WORD in FOLDER`. */
export const scriptedHelper: AgentModel = ({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    const [found] = last.results;
    const lines = found?.ok === true ? found.output.split('\n').filter((line) => /:\d+$/.test(line)) : [];
    const count = lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(':') + 1)), 0);
    return { text: `${count} lines in ${lines.length} files.` };
  }
  const [, word = '', path = ''] = /Count (\S+) in (\S+)/.exec(last?.role === 'user' ? last.text : '') ?? [];
  const input = { pattern: word, path, output_mode: 'count' };
  return { text: `I count ${word}.`, toolCalls: [{ id: `count_${word}`, name: 'Grep', input }] };
};
