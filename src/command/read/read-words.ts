import { type ExpansionScope, expandBody, expandWhole, expandWord, readNested } from './expand-word.js';
import type { ShellAssignment, ShellCommand, ShellRedirection } from './shell-syntax.js';
import type { CommandAssignment, CommandRedirection, CommandWord, SimpleCommand } from './simple-command.js';

/** Expands everything a program call is made of: words, assignments before and after the program, redirections. */
export function readWords(
  node: ShellCommand,
  scope: ExpansionScope,
): Pick<SimpleCommand, 'argv' | 'assignments' | 'redirections'> {
  const assignments: CommandAssignment[] = [];
  const variables = new Map(scope.variables);
  for (const each of node.prefix) {
    if (each.type !== 'Assignment') continue;
    const assignment = readAssignment(each, { ...scope, variables });
    assignments.push(assignment);
    variables.set(assignment.name, [assignment.value]);
  }
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

/** True when a redirection is a here-document whose last line is missing. */
export function isOpenHereDocument(node: ShellRedirection): boolean {
  return node.type === 'HereDoc' && node.closing === undefined;
}

function readAssignment(node: ShellAssignment, scope: ExpansionScope): CommandAssignment {
  const { name } = node;
  if (node.index) readNested(node.index, scope);
  if (node.value.type === 'ArrayValue') {
    const elements = node.value.elements
      .flatMap((each) => expandWord(each, scope))
      .map((each) => ({ ...each, value: each.value.replace(/^\[\d+\]=/, '') }));
    return { name, value: listValue(node.text, elements) };
  }
  const value = expandWhole(node.value, scope);
  const before = node.append ? scope.variables.get(name)?.[0] : undefined;
  return { name, value: before ? { ...value, value: before.value + value.value } : value };
}

function listValue(text: string, elements: readonly CommandWord[]): CommandWord {
  const kind = elements.some((word) => word.kind === 'computed') ? 'computed' : 'resolved';
  return {
    text,
    value: elements.map((word) => word.value).join(' '),
    kind,
    runs: elements.flatMap((word) => word.runs),
    elements,
  };
}
