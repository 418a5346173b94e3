import { LatestMap } from '../../core/support/latest-map.js';
import { holdsInvisible } from '../programs/command-words.js';
import { type CommandLimits, defaultCommandLimits } from './command-limits.js';
import { CommandReader } from './command-reader.js';
import { ReadingBudget } from './reading-budget.js';
import type { CommandReading, ReadingProblem } from './simple-command.js';

// The safety check, the permission rules and the suggested rules parse the same line one after the other. The latest
// results are cached, because a result depends only on the text.
const latest = new LatestMap<string, CommandReading>(16);
/** The results of longer lines are not cached, because they would take much memory. */
const maxKeptChars = 10_000;

/**
 * Parses a command line into its simple commands at every depth: lists, pipes, substitutions, functions,
 * here-documents, inner shells, wrappers. Never throws. `problems` lists the parts that could not be parsed; a line
 * with problems is not fully known.
 */
export function readCommand(text: string, limits: CommandLimits = defaultCommandLimits): CommandReading {
  if (limits !== defaultCommandLimits || text.length > maxKeptChars) return read(text, limits);
  const known = latest.get(text);
  if (known !== undefined) return known;
  const reading = read(text, limits);
  latest.set(text, reading);
  return reading;
}

function read(text: string, limits: CommandLimits): CommandReading {
  const refused = refuse(text, limits);
  if (refused) return { text, commands: [], problems: [refused] };
  const budget = new ReadingBudget(limits);
  if (holdsInvisible(text))
    budget.problems.push({ category: 'hidden-characters', text: 'it contains invisible characters' });
  try {
    const line = text.replaceAll('\r\n', '\n');
    new CommandReader(budget, line).readLine(line);
  } catch {
    budget.problems.push({ category: 'unparsable', text: 'it could not be parsed' });
  }
  return { text, commands: budget.commands, problems: budget.problems };
}

function refuse(text: string, limits: CommandLimits): ReadingProblem | undefined {
  if (text.includes('\0')) return { category: 'too-complex', text: 'it contains a NUL character' };
  if (text.length > limits.maxLength)
    return { category: 'too-complex', text: `it is longer than ${limits.maxLength} characters` };
  return undefined;
}
