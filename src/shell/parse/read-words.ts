import { computedWord } from '../programs/command-words.js';
import { type ExpansionScope, expandBody, expandWhole, expandWord, readNested } from './expand-word.js';
import type { ShellAssignment, ShellCommand, ShellRedirection } from './shell-syntax.js';
import type { CommandAssignment, CommandRedirection, CommandWord, SimpleCommand } from './simple-command.js';

/** Expands all parts of a program call: words, assignments before and after the program, redirections. */
export function readWords(
  node: ShellCommand,
  scope: ExpansionScope,
): Pick<SimpleCommand, 'argv' | 'assignments' | 'redirections'> {
  const assignments: CommandAssignment[] = [];
  for (const each of node.prefix) if (each.type === 'Assignment') assignments.push(readAssignment(each, scope));
  const argv: CommandWord[] = node.name ? [...expandWord(node.name, scope)] : [];
  for (const argument of node.args) {
    if (argument.type === 'Word') {
      argv.push(...expandWord(argument, scope));
      continue;
    }
    const assignment = readAssignment(argument, scope);
    assignments.push(assignment);
    argv.push({ ...assignment.value, text: argument.text, value: `${argument.name}=${assignment.value.value}` });
  }
  return { argv, assignments, redirections: node.redirects.map((each) => readRedirection(each, scope)) };
}

/** Expands one redirection. */
export function readRedirection(node: ShellRedirection, scope: ExpansionScope): CommandRedirection {
  const { operator } = node;
  const descriptor = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined;
  const named = node.descriptor?.type === 'FileDescriptorVariable';
  if (node.type === 'HereDoc') {
    const target = expandBody(node.body.text, node.body.parts, scope);
    return { operator, descriptor, target, body: target.value };
  }
  const written = node.target ? expandWhole(node.target, scope) : undefined;
  const target = written && named ? ({ ...written, kind: 'computed' } as const) : written;
  return { operator, descriptor, target, body: node.type === 'HereString' ? `${target?.value ?? ''}\n` : undefined };
}

/** Whether a redirection is a here-document without its closing delimiter. */
export function isOpenHereDocument(node: ShellRedirection): boolean {
  return node.type === 'HereDoc' && node.closing === undefined;
}

function readAssignment(node: ShellAssignment, scope: ExpansionScope): CommandAssignment {
  const { name, value, text } = node;
  if (node.index) {
    readNested(node.index, scope);
    scope.budget.expressions.push(node.index.text);
  }
  if (value.type === 'ArrayValue') {
    for (const each of value.elements) if (each.text.startsWith('[')) scope.budget.expressions.push(each.text);
    const runs = value.elements.flatMap((each) => expandWord(each, scope)).flatMap((word) => word.runs);
    return { name, value: { ...computedWord(text), runs } };
  }
  const whole = expandWhole(value, scope);
  return { name, value: node.append || node.index ? { ...whole, kind: 'computed', value: '' } : whole };
}
