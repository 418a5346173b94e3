import type { ShellParameter } from './shell-syntax.js';

/**
 * Applies the operation of `${name…}` to a known value where it is known beforehand, otherwise answers `undefined`.
 */
export function transformParameter(value: string, part: ShellParameter): string | undefined {
  const operation = part.operation;
  if (part.prefix === '!') return undefined;
  if (part.prefix === '#') return String(value.length);
  if (operation === undefined) return value;
  if (part.parameter === 'IFS') return ' ';
  switch (operation.type) {
    case 'Slice':
      return slice(value, operation.offset.value, operation.length?.value);
    case 'Replace':
      return replace(value, operation.operator, operation.pattern.value, operation.replacement.value);
    case 'Remove':
      return remove(value, operation.operator, operation.operand.value);
    case 'CaseModification':
      return changeCase(value, operation.operator, operation.operand !== undefined);
    default:
      return undefined;
  }
}

function slice(value: string, offset: string, length: string | undefined): string | undefined {
  const numeral = /^\s*-?\d+\s*$/;
  if (!numeral.test(offset) || (length !== undefined && !numeral.test(length))) return undefined;
  const start = Number(offset) < 0 ? value.length + Number(offset) : Number(offset);
  if (length === undefined) return value.slice(start);
  return Number(length) < 0 ? value.slice(start, Number(length)) : value.slice(start, start + Number(length));
}

function replace(value: string, operator: string, pattern: string, replacement: string): string | undefined {
  if (/[$`*?[\\]/.test(pattern) || /[$`\\]/.test(replacement) || pattern === '') return undefined;
  if (operator === '//') return value.split(pattern).join(replacement);
  if (operator === '/#') return value.startsWith(pattern) ? replacement + value.slice(pattern.length) : value;
  if (operator === '/%') return value.endsWith(pattern) ? value.slice(0, -pattern.length) + replacement : value;
  const at = value.indexOf(pattern);
  return at === -1 ? value : value.slice(0, at) + replacement + value.slice(at + pattern.length);
}

function remove(value: string, operator: string, pattern: string): string | undefined {
  if (/[$`*[\\]/.test(pattern)) return undefined;
  const size = pattern.length;
  if (size > value.length) return value;
  const piece = operator.startsWith('#') ? value.slice(0, size) : value.slice(value.length - size);
  const matches = Array.from(pattern, (character, index) => character === '?' || character === piece[index]).every(
    Boolean,
  );
  if (!matches) return value;
  return operator.startsWith('#') ? value.slice(size) : value.slice(0, value.length - size);
}

function changeCase(value: string, operator: string, selective: boolean): string | undefined {
  if (selective) return undefined;
  if (operator === '^^') return value.toUpperCase();
  if (operator === ',,') return value.toLowerCase();
  const first = value.slice(0, 1);
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + value.slice(1);
}
