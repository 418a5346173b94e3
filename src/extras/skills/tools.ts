import type { output } from 'zod/v4/core';
import { ToolError } from '../../core/error.js';
import { inputObject, integer, optional, text, words } from '../../core/schema/fields.js';
import type { SchemaLike } from '../../core/schema/input.js';
import { assertMethods, ifPossible } from '../../core/support/check-values.js';
import { didYouMean } from '../../core/support/near-names.js';
import { lazily } from '../../core/support/once.js';
import { escapeLine } from '../../core/text/escape-for-people.js';
import { Tool } from '../../core/tool.js';
import type { ToolDefinition } from '../../core/tool-definition.js';
import type { ToolResult } from '../../core/tool-result.js';
import { askHost } from '../../ports/ask-host.js';
import type { FollowedSkills } from './followed-skills.js';
import type { Skill, SkillStore, SkillSummary } from './skill.js';

const searchName = 'skill_search';
const skillName = 'Skill';
const defaultResults = 5;
const maxResults = 20;
const maxArgumentChars = 10_000;
/** Limit of the list of skills in the instructions. */
const maxListedChars = 6_000;
const maxListedDescription = 300;
const maxPathChars = 300;
const store = { port: 'the store of skills', timeoutMs: 60_000 };

const searchInput = lazily(() =>
  inputObject({
    query: words(1_000, 'The work to do'),
    max_results: optional(integer(undefined, { minimum: 1, maximum: maxResults })),
  }),
);
const skillInput = lazily(() =>
  inputObject({
    name: text(undefined, { minLength: 1, maxLength: 200 }),
    arguments: optional(text('Input for the skill, such as a file name', { maxLength: maxArgumentChars })),
  }),
);

/**
 * The tools `skill_search` and `Skill` for a store. `toolkit.instructions()` lists as many names and descriptions as
 * fit. The `allowed-tools` of a skill grant no permission: the tool `Skill` asks the model to use only these tools, and
 * with `followed` all other tools are refused. Throws a TypeError for an invalid store.
 */
export function skillTools(
  skills: SkillStore,
  followed?: FollowedSkills,
): readonly [search: Tool<output<ReturnType<typeof searchInput>>>, skill: Tool<output<ReturnType<typeof skillInput>>>] {
  const write = 'skillTools(skillStore({ tiers }))';
  assertMethods('skillTools takes a store of skills', skills, ['list', 'search', 'get'], write);
  const common: Pick<ToolDefinition<SchemaLike>, 'sideEffect' | 'risk' | 'footprint'> = {
    sideEffect: 'readonly',
    risk: () => 'none',
    footprint: () => ({ reads: 'nothing', writes: 'nothing' }),
  };
  const search = Tool.define(searchName, {
    ...common,
    description: `Search the skills: instructions for kinds of work. To open one, use the tool ${skillName}.`,
    input: searchInput(),
    title: ({ query }) => `${searchName} ${query}`,
    async execute({ query, max_results: limit = defaultResults }, context): Promise<ToolResult> {
      const asked = { ...store, isUsable: isListOfSkills };
      const answer = await askHost(asked, context, (scope) => skills.search({ query, limit }, scope));
      const found = answer.slice(0, limit);
      const output = found.map(lineOf).join('\n') || 'No skill has these words. Try other words, or go on.';
      return { output, metadata: { query, found: found.map(({ name }) => name) } };
    },
  });
  const skill = Tool.define(skillName, {
    ...common,
    description: 'Open a skill: instructions for a kind of work. Follow them from then on.',
    input: skillInput(),
    title: ({ name }) => `${skillName} ${name}`,
    advice: (offered) => adviceOn(skills, offered.has(searchName)),
    async execute({ name, arguments: given }, context): Promise<ToolResult> {
      const opened = await askHost({ ...store, isUsable: isSkill }, context, (scope) => skills.get({ name }, scope));
      if (opened === undefined) {
        const known = listOf(skills).map((one) => one.name);
        const what = `there is no skill ${JSON.stringify(name)}.${didYouMean(name, known)}`;
        throw new ToolError('invalid_input', `name: ${what} See ${searchName}.`);
      }
      const { tier, folder, allowedTools } = opened;
      followed?.follow(context.caller.sessionId, opened);
      const metadata = { name, tier, folder, ...(allowedTools && { allowedTools }) };
      return { output: textOf(opened, given), metadata };
    },
  });
  return [search, skill];
}

/** The facts come first, because a long text is cut at its end. */
function textOf(skill: Skill, given = ''): string {
  const { name, tier, folder, hides, files, allowedTools, text: written } = skill;
  const listed = files.map((file) => escapeLine(file, maxPathChars)).join(', ');
  const takesArguments = written.includes('$ARGUMENTS');
  return [
    `Skill ${name} of the tier ${tier}, in ${escapeLine(folder, maxPathChars)}`,
    listed !== '' && `Its files, from that folder: ${listed}`,
    hides.length > 0 && `Others of this name are not used: ${hides.join(', ')}`,
    allowedTools !== undefined &&
      `Follow it with these tools only: ${allowedTools.join(', ')}. Calls that need permission still need it.`,
    !takesArguments && given !== '' && `Arguments: ${given}`,
    `\n${written.replaceAll('$ARGUMENTS', () => given)}`,
  ]
    .filter((part) => typeof part === 'string')
    .join('\n');
}

function adviceOn(skills: SkillStore, hasSearch: boolean): string | undefined {
  const all = listOf(skills);
  if (all.length === 0) return undefined;
  const lines: string[] = [];
  let chars = 0;
  for (const skill of all) {
    const line = lineOf({ ...skill, description: escapeLine(skill.description, maxListedDescription), hides: [] });
    chars += line.length;
    if (chars > maxListedChars) break;
    lines.push(line);
  }
  const more = all.length - lines.length;
  return [
    `Skills. Before you do work that a skill describes, open the skill with ${skillName}:`,
    ...lines,
    ...(more === 0 ? [] : [`- ${more} more${hasSearch ? `; find them with ${searchName}` : ''}`]),
  ].join('\n');
}

function lineOf({ name, description, hides }: SkillSummary): string {
  const others = hides.length === 0 ? '' : ` (hides ${hides.join(', ')})`;
  return `- ${name}: ${description}${others}`;
}

/** The skills of a store; none if the store fails, so that the turn still gets its instructions. */
function listOf(skills: SkillStore): readonly SkillSummary[] {
  const all = ifPossible(() => skills.list()) ?? [];
  return isListOfSkills(all) ? all : [];
}

function isListOfSkills(answer: readonly SkillSummary[]): boolean {
  return Array.isArray(answer) && answer.every(isSummary);
}

function isSkill(skill: Skill | undefined): boolean {
  return skill === undefined || (isSummary(skill) && typeof skill.text === 'string' && Array.isArray(skill.files));
}

function isSummary(skill: SkillSummary | undefined): boolean {
  return typeof skill?.name === 'string' && typeof skill.description === 'string' && Array.isArray(skill.hides);
}
