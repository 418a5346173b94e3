import { expect, test } from 'vitest';
import { ToolError } from '../../src/core/error.js';
import { checkRequest } from '../../src/shell/check-request.js';
import { callScope } from '../support/call-scope.js';
import { eachRow } from '../support/each-row.js';

const limits = { maxCommandChars: 100 };
const codeOf = (request: Parameters<typeof checkRequest>[0], signal = new AbortController().signal) => {
  try {
    return checkRequest(request, callScope({ signal }), limits);
  } catch (thrown) {
    return ToolError.from(thrown).code;
  }
};

const rows = [
  [{ command: 'true' }, undefined],
  [{ command: 'true', timeoutMs: 1 }, undefined],
  [{ command: 'true', timeoutMs: Number.POSITIVE_INFINITY }, undefined],
  [{ command: 'x'.repeat(100) }, undefined],
  [{ command: 'x'.repeat(101) }, 'invalid_input'],
  [{ command: 'a\0b' }, 'invalid_input'],
  [{ command: 'true', timeoutMs: 0 }, 'invalid_input'],
  [{ command: 'true', timeoutMs: -1 }, 'invalid_input'],
  [{ command: 'true', timeoutMs: Number.NaN }, 'invalid_input'],
] as const;
test('a request is taken or refused', () => eachRow(rows, ([request, code]) => expect(codeOf(request)).toBe(code)));

test('after an abort nothing is run, whatever it is', () =>
  expect(codeOf({ command: 'a\0b' }, AbortSignal.abort())).toBe('cancelled'));
