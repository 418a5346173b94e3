import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skillStore } from 'toolwright/extras/skills';
import { expect, test } from 'vitest';
import { callScope } from '../support/call-scope.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Each action with its form in a request, and additional text of its description.
const actions: readonly (readonly [action: string, asked: string, about: string])[] = [
  ['convert', 'converting', 'to another format, one by one or in batches'],
  ['translate', 'translated', 'between languages, with the terms of a glossary'],
  ['summarize', 'summarizing', 'into a page for people who have no time'],
  ['validate', 'validating', 'against the rules of the company'],
  ['merge', 'merged', 'from several sources without duplicates'],
  ['publish', 'publishing', 'on the site, after somebody approved'],
  ['archive', 'archived', 'for the years that the law asks for'],
  ['compare', 'comparing', 'with an older version and list what differs'],
  ['encrypt', 'encrypted', 'with the key of a recipient'],
  ['print', 'printing', 'on the machine of the office'],
  ['scan', 'scanning', 'so that words in them are found'],
  ['annotate', 'annotated', 'with remarks in the margin'],
  ['compress', 'compressing', 'to a size that mail lets through'],
  ['generate', 'generated', 'from a template with fields'],
  ['review', 'reviewing', 'by a list of questions'],
  ['import', 'imported', 'into the database with a report of what failed'],
  ['rename', 'renaming', 'by a pattern with dates and numbers'],
  ['schedule', 'scheduled', 'for a day in the calendar'],
  ['sign', 'signing', 'in the name of the team'],
  ['deliver', 'delivered', 'to customers by courier or mail'],
];
const objects = [
  ...['invoice', 'photo', 'contract', 'spreadsheet', 'podcast', 'blueprint', 'recipe', 'certificate', 'newsletter'],
  ...['dataset', 'screenshot', 'timetable', 'questionnaire', 'manuscript', 'receipt', 'transcript', 'brochure'],
  ...['warranty', 'payslip', 'poster', 'notebook', 'diagram', 'subtitle', 'catalogue', 'passport'],
];

test('a request finds its skill of 500 in first place almost always', async () => {
  const root = temporaryFolder();
  const requests = actions.flatMap(([action, asked, about]) =>
    objects.map((object) => {
      const name = `${action}-${object}s`;
      mkdirSync(join(root, name));
      const description = `Use this skill to ${action} a ${object} or several ${about}.`;
      writeFileSync(join(root, name, 'SKILL.md'), `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`);
      return { name, query: `I need this ${object} ${asked} by tomorrow, could you help me with that please?` };
    }),
  );
  expect(requests).toHaveLength(500);
  const store = skillStore({ tiers: [{ name: 'global', folder: root }] });
  const asked = requests.filter((_, at) => at % 4 === 0);
  const missed: string[] = [];
  for (const { name, query } of asked) {
    const [first] = await store.search({ query, limit: 5 }, callScope());
    if (first?.name !== name) missed.push(`${name}: ${first?.name}`);
  }
  expect(missed.length / asked.length, missed.join('\n')).toBeLessThanOrEqual(0.05);
});
