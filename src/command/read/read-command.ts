import { type CommandLimits, defaultCommandLimits } from './command-limits.js';
import { CommandReader } from './command-reader.js';
import { ReadingBudget } from './reading-budget.js';
import { type CommandReading, holdsInvisible, type ReadingProblem } from './simple-command.js';

/**
 * Takes a command line apart into its simple commands at every depth: lists, pipes, substitutions, functions,
 * here-documents, inner shells, wrappers. Never throws; what could not be read stands in `problems`, and a line with
 * problems is not known whole.
 */
export function readCommand(text: string, limits: CommandLimits = defaultCommandLimits): CommandReading {
  const refused = refuse(text, limits);
  if (refused) return { text, commands: [], problems: [refused] };
  const budget = new ReadingBudget(limits);
  if (holdsInvisible(text))
    budget.problems.push({ category: 'hidden-characters', text: 'it holds characters that cannot be seen' });
  try {
    new CommandReader(budget).readLine(text.replaceAll('\r\n', '\n'));
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
