import { setTimeout } from 'node:timers/promises';
import type { AgentModel, AgentModelReply } from 'toolwright/agents';

/**
 * Replaces a model. For the task `Count WORD in FOLDER` it counts the lines with the word, and with `and tell NAME` it
 * sends the number to a member of its team. For `Wait for a number` it forwards the message that it gets to the lead.
 */
export const scriptedHelper: AgentModel = async ({ messages, signal }) => {
  // Simulates the time that a model needs.
  await setTimeout(20, undefined, { signal });
  const [first] = messages;
  // The text before it is the note for members of a team.
  const task = first?.role === 'user' ? (first.text.split('\n\n').at(-1) ?? '') : '';
  const last = messages.at(-1);
  if (task.startsWith('Wait')) return passOn(last?.role === 'user' ? last.text : '', messages.length);
  const [, word = '', path = '', other] = /^Count (\S+) in (\S+)(?: and tell (\S+))?/.exec(task) ?? [];
  if (last?.role !== 'tool') {
    const input = { pattern: word, path, output_mode: 'count' };
    return { text: `I count ${word}.`, toolCalls: [{ id: `count_${word}`, name: 'Grep', input }] };
  }
  const [result] = last.results;
  if (result?.name === 'SendMessage') return { text: `I have told ${other}.` };
  const lines = result?.ok === true ? result.output.split('\n').filter((line) => /:\d+$/.test(line)) : [];
  const count = lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(':') + 1)), 0);
  const text = `${count} lines in ${lines.length} files.`;
  return other === undefined ? { text } : sends(other, text);
};

function passOn(message: string, round: number): AgentModelReply {
  // The lines of a message are indented.
  const [, from, text = ''] = /^\[from (\w+), message\]\n(.*)/s.exec(message) ?? [];
  if (from !== undefined) return sends('lead', `${from} says: ${text.trim()}`);
  return { toolCalls: [{ id: `wait_${round}`, name: 'Grep', input: { pattern: 'nothing' } }] };
}

function sends(to: string, message: string): AgentModelReply {
  return { toolCalls: [{ id: `tell_${to}`, name: 'SendMessage', input: { to, message } }] };
}
