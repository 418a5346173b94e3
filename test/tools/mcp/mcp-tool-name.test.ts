import * as fc from 'fast-check';
import { mcpToolName } from 'toolwright/mcp';
import { describe, expect, test } from 'vitest';
import { builtinName } from '../../../src/core/tool-names.js';
import { eachRow } from '../../support/each-row.js';
import { runs } from '../../support/runs.js';

const changed = /_[0-9a-f]{8}$/;

const plain = [
  ['github', 'create_issue', 'mcp__github__create_issue'],
  ['github', 'a__b', 'mcp__github__a__b'],
  ['my-server', 'get-Thing', 'mcp__my-server__get-Thing'],
  ['a'.repeat(20), 'b'.repeat(37), `mcp__${'a'.repeat(20)}__${'b'.repeat(37)}`],
] as const;
test('a name of plain parts consists of these parts', () =>
  eachRow(plain, ([server, tool, name]) => expect(mcpToolName(server, tool)).toBe(name)));

const odd = [
  ['characters that no provider takes', 'my server', 'get.thing', /^mcp__my_server__get_thing_/],
  ['a name that is too long', 'server', 't'.repeat(58), /^mcp__server__t{42}_/],
  ['a server whose name holds the separator', 'a__b', 'x', /^mcp__a__b__x_/],
  ['a server that ends in an underscore', 'a_', 'x', /^mcp__a___x_/],
  ['nothing at all', '', '', /^mcp_____/],
  ['what looks as if it were changed', 'a', 'x_0123abcd', /^mcp__a__x_0123abcd_/],
  ['inherited names', '__proto__', 'constructor', /^mcp____proto____constructor_/],
] as const;
test('a changed name ends in a hash', () =>
  eachRow(odd, ([, server, tool, form]) => {
    const name = mcpToolName(server, tool);
    expect(name).toMatch(form);
    expect(name).toMatch(changed);
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  }));

describe('another prefix', () => {
  test('is joined by its own underscores', () => {
    expect(mcpToolName('github', 'create_issue', 'mcp_')).toBe('mcp_github_create_issue');
    expect(mcpToolName('my_server', 'x', 'mcp_')).toMatch(/^mcp_my_server_x_[0-9a-f]{8}$/);
    expect(mcpToolName('fetch', 'x', 'web_')).toBe('web_fetch_x');
  });

  test('in another form is rejected', () =>
    eachRow(['', 'mcp', 'mcp.', '_'.repeat(25), 'ä_'], (prefix) =>
      expect(() => mcpToolName('a', 'b', prefix)).toThrow(/The prefix of MCP tools must be at most 24/),
    ));

  test('never gives the name or alias of a built-in tool', () => {
    for (const [server, tool, prefix] of [
      ['file', '', 'read_'],
      ['', 'fetch', 'web_'],
      ['', '', 'ls_'],
    ] as const)
      expect(builtinName(mcpToolName(server, tool, prefix))).toBeUndefined();
  });
});

// Few letters, so that names collide, and all of Unicode, lone surrogates included.
const part = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '_', '__', '.', 'A'), maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'é', 'e\u0301', '\0'), maxLength: 4 }),
  fc.constantFrom('Read', 'Bash', 'web_fetch', '__proto__', 'constructor', 'read_file'),
);
const origin = fc.tuple(part, part);
const distinct = fc.uniqueArray(origin, { selector: (one) => JSON.stringify(one), maxLength: 60 });

test('names are valid, distinct and not built-in, for any servers', () =>
  eachRow(['mcp__', 'mcp_'], (prefix) => {
    fc.assert(
      fc.property(distinct, (origins) => {
        const names = origins.map(([server, tool]) => mcpToolName(server, tool, prefix));
        expect(new Set(names).size).toBe(origins.length);
        for (const name of names) {
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(builtinName(name)).toBeUndefined();
        }
        // A name depends only on its server and tool, not on other tools or their order.
        for (const [index, [server, tool]] of origins.entries())
          expect(mcpToolName(server, tool, prefix)).toBe(names[index]);
      }),
      { numRuns: runs(1_000) },
    );
  }));
