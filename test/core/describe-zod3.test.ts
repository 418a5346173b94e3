import { afterEach, expect, test, vi } from 'vitest';
import * as z3 from 'zod3';
import { describeZod3 } from '../../src/core/schema/input.js';
import { Tool } from '../../src/core.js';
import { eachRow } from '../support/each-row.js';
import { calls, run } from '../support/pipeline.js';

afterEach(() => vi.restoreAllMocks());

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
const tree: z3.ZodType<Tree> = z3.lazy(() => z3.object({ name: z3.string(), children: z3.array(tree) }));
interface Left {
  readonly right?: Right | undefined;
}
interface Right {
  readonly left?: Left | undefined;
}
const left: z3.ZodType<Left> = z3.lazy(() => z3.object({ right: right.optional() }));
const right: z3.ZodType<Right> = z3.lazy(() => z3.object({ left: left.optional() }));

/** The schema at the end of a JSON pointer. */
function follow(root: object, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => node?.[key as never], root);
}

test('a recursive schema is described with valid references, and nothing is printed', () =>
  eachRow<[string, z3.ZodTypeAny]>(
    [
      ['at the top', z3.object({ self: z3.lazy((): z3.ZodTypeAny => top).optional() })],
      ['inside', z3.object({ root: tree })],
      ['by way of another', z3.object({ left })],
      ['twice', z3.object({ one: tree, two: tree })],
    ],
    ([, schema]) => {
      const printed = (['log', 'warn', 'error', 'info'] as const).map((name) =>
        vi.spyOn(console, name).mockReturnValue(undefined),
      );
      const json = describeZod3(schema);
      const references = [...JSON.stringify(json).matchAll(/"\$ref":"([^"]*)"/g)].map(([, pointer = '']) => pointer);
      expect(references).not.toEqual([]);
      for (const pointer of references)
        expect(follow(json, pointer), pointer).toMatchObject({ type: expect.any(String) });
      expect(JSON.stringify(json)).not.toContain('{}}');
      for (const spy of printed) expect(spy).not.toHaveBeenCalled();
      vi.restoreAllMocks();
    },
  ));
const top: z3.ZodTypeAny = z3.object({ self: z3.lazy((): z3.ZodTypeAny => top).optional() });

test('a part that is used twice is described twice', () => {
  const point = z3.object({ x: z3.number() });
  expect(JSON.stringify(describeZod3(z3.object({ from: point, to: point })))).not.toContain('$ref');
});

test('inputs of a recursive schema are coerced at any depth', async () => {
  const grow = Tool.define('Grow', {
    description: 'd',
    input: z3.object({ root: tree }),
    sideEffect: 'none',
    execute: (input) => JSON.stringify(input),
  });
  const deep = { name: 1, children: [{ name: 2, children: [{ name: 3, children: [] }] }] };
  const { results } = await run([grow], calls(['Grow', { root: deep }]));
  expect(results[0]?.output).toBe(
    '{"root":{"name":"1","children":[{"name":"2","children":[{"name":"3","children":[]}]}]}}',
  );
});
