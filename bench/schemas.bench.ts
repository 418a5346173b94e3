// The cost of the list of tools for a model: 25 tools of 6 fields, alternated in one run with zod's own conversion of
// the same schemas. Prints ratios, because only those can be compared between machines. Usage: npm run bench -- schemas
import * as z from 'zod/v4';
import { defaultLimits } from '../src/core/limits.js';
import { Tool, ToolRegistry } from '../src/core.js';
import { type BuiltinDependencies, builtinTools } from '../src/tools/builtin.js';
import { alternate, report } from './alternate.js';

const toolCount = 25;
const rounds = 21;
const laterListings = 1_000;

const schema = () =>
  z.object({
    file_path: z.string().min(1).describe('Absolute path'),
    offset: z.int().min(0).optional().describe('Lines to skip'),
    limit: z.int().min(1).optional().describe('Lines to read'),
    mode: z.enum(['text', 'hex', 'outline']).optional().describe('How to show it'),
    tags: z.array(z.string()).optional().describe('Labels for the result'),
    exact: z.boolean().default(false).describe('Whether to show it as it is'),
  });

function registry(): ToolRegistry {
  const tools = Array.from({ length: toolCount }, (_, index) =>
    Tool.define(`Tool${index}`, {
      description: 'Look at a file.',
      input: schema(),
      sideEffect: 'none',
      execute: () => '',
    }),
  );
  return new ToolRegistry().register(...tools);
}

// Making a tool uses none of its dependencies.
const dependencies = {
  files: { root: '/' },
  tracked: { root: '/' },
  changes: {},
  limits: defaultLimits,
} as unknown as BuiltinDependencies;

/** Registers copies of the built-in tools until there are 25. */
function offer(): void {
  for (let missing = toolCount; missing > 0; ) {
    const tools = builtinTools(dependencies).slice(0, missing);
    new ToolRegistry().register(...tools);
    missing -= tools.length;
  }
}

// The first list in a process, before zod is warm.
const start = performance.now();
offer();
const coldMs = performance.now() - start;

// Made beforehand, one for each round and the warm-up, because only the listing is measured.
const fresh = Array.from({ length: rounds + 1 }, () => Array.from({ length: toolCount }, schema));
const unlisted = Array.from({ length: rounds + 1 }, registry);
const listed = registry();
const count = listed.definitions().length;
if (count !== toolCount) throw new Error(`${count} of ${toolCount} tools are listed`);

const timings = await alternate(
  {
    'bare toJSONSchema': () =>
      fresh.pop()?.map((one) => z.toJSONSchema(one, { target: 'draft-7', io: 'input', unrepresentable: 'any' })),
    'first listing': () => unlisted.pop()?.definitions(),
    [`${laterListings} later listings`]: () => {
      for (let index = 0; index < laterListings; index++)
        if (listed.definitions().length !== toolCount) throw new Error('a tool is missing');
    },
  },
  rounds,
);
report(`Listing ${toolCount} tools of 6 fields`, timings, { 'first listing': 1.2 });
const later = (timings[`${laterListings} later listings`]?.median ?? Number.NaN) / laterListings;
console.log(
  `  a later listing is ${(later / (timings['first listing']?.median ?? 1)).toFixed(6)} × the first  goal 0.01 ×`,
);

const { offering } = await alternate({ offering: offer }, rounds);
console.log(`\nMaking and registering ${toolCount} built-in tools, in ms  goal 5`);
console.log(
  `  first in a process ${coldMs.toFixed(2)}, then median ${offering.median.toFixed(2)}, least ${offering.least.toFixed(2)}`,
);
