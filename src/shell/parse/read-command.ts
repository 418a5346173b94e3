import { holdsInvisible } from '../words/command-word.js';
import { type CommandLimits, defaultCommandLimits } from './command-limits.js';
import { CommandReader } from './command-reader.js';
import { ReadingBudget } from './reading-budget.js';
import type { CommandReading, ReadingProblem } from './simple-command.js';

// Guard, risk, rules and suggestions ask about the same line one after the other. A reading depends on nothing else.
const latest = new Map<string, CommandReading>();
const maxReadings = 16;
/** The reading of a longer line would hold more memory than reading it again is worth. */
const maxKeptChars = 10_000;

/**
 * Takes a command line apart into its simple commands at every depth: lists, pipes, substitutions, functions,
 * here-documents, inner shells, wrappers. Never throws; what could not be read stands in `problems`, and a line with
 * problems is not known whole.
 */
export function readCommand(text: string, limits: CommandLimits = defaultCommandLimits): CommandReading {
  if (limits !== defaultCommandLimits || text.length > maxKeptChars) return read(text, limits);
  const known = latest.get(text);
  if (known !== undefined) return known;
  const reading = read(text, limits);
  const [oldest] = latest.keys();
  if (latest.size >= maxReadings && oldest !== undefined) latest.delete(oldest);
  latest.set(text, reading);
  return reading;
}

function read(text: string, limits: CommandLimits): CommandReading {
  const refused = refuse(text, limits);
  if (refused) return { text, commands: [], problems: [refused] };
  const budget = new ReadingBudget(limits);
  if (holdsInvisible(text))
    budget.problems.push({ category: 'hidden-characters', text: 'it holds characters that cannot be seen' });
  try {
    const line = text.replaceAll('\r\n', '\n');
    new CommandReader(budget, line).readLine(line);
  } catch {
    budget.problems.push({ category: 'unparsable', text: 'it could not be read' });
  }
  return { text, commands: budget.commands, problems: budget.problems };
}

function refuse(text: string, limits: CommandLimits): ReadingProblem | undefined {
  if (text.includes('\0'))
    return { category: 'too-complex', text: 'it holds a NUL character, which no command can hold' };
  if (text.length > limits.maxLength)
    return { category: 'too-complex', text: `it is longer than ${limits.maxLength} characters` };
  return undefined;
}
