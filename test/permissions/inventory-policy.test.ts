import { type Caller, createToolkit, type PolicyConfig, type Tool, type Toolkit } from 'toolwright';
import { browserTool } from 'toolwright/extras/browser';
import { canvasTool } from 'toolwright/extras/canvas';
import { cronTool } from 'toolwright/extras/cron';
import { gatewayTool, toolkitGateway } from 'toolwright/extras/gateway';
import { imageTools, svgImages } from 'toolwright/extras/image';
import { messageTool, webhookMessenger } from 'toolwright/extras/message';
import { nodesTool } from 'toolwright/extras/nodes';
import { processTools } from 'toolwright/extras/process';
import { skillStore, skillTools } from 'toolwright/extras/skills';
import { localSpeech, ttsTool } from 'toolwright/extras/tts';
import { memoryFiles } from 'toolwright/testing';
import { expect, onTestFinished, test } from 'vitest';
import { eachRow } from '../support/each-row.js';
import { fakeBrowser } from '../support/fake-browser.js';

const all = 'process skill_search Skill message cron browser image analyze_image tts canvas nodes gateway'.split(' ');
const forAll = all.filter((name) => name !== 'cron' && name !== 'gateway').join(' ');

/** The tools that a program registers itself. */
function inventory(toolkit: Toolkit): readonly Tool[] {
  const none = () => Promise.reject(new Error('unused'));
  const canvases = { show: none, update: none, snapshot: none, clear: none, subscribe: () => () => {} };
  const ends = { endSession: () => {}, dispose: () => {} };
  return [
    ...processTools(toolkit),
    ...skillTools(skillStore({ tiers: [{ name: 'workspace', folder: '/workspace/skills' }] })),
    messageTool(webhookMessenger({ channels: {} }), toolkit),
    cronTool({ add: none, list: none, remove: none, run: none, setEnabled: none }),
    browserTool(fakeBrowser().browser, toolkit),
    ...imageTools(svgImages(), toolkit),
    ttsTool(localSpeech(), toolkit),
    nodesTool({ nodes: none, invoke: none } as never),
    gatewayTool(toolkitGateway(toolkit)),
    canvasTool({ ...canvases, ...ends } as never, toolkit),
  ];
}

const at = (depth: number): Caller => ({ sessionId: `depth ${depth}`, depth });

/** The tools offered at the depths 0, 1 and 2. Agents at depth 2 cannot start others. */
type Row = readonly [policy: PolicyConfig, main: string, middle: string, deepest: string];

const rows: readonly Row[] = [
  [{}, all.join(' '), forAll, forAll],
  [{ profile: 'full' }, all.join(' '), forAll, forAll],
  [{ profile: 'coding' }, 'process image', 'process image', 'process image'],
  [{ profile: 'messaging' }, 'message', 'message', 'message'],
  [{ profile: 'minimal' }, '', '', ''],
  [{ allow: ['group:runtime'] }, 'process', 'process', 'process'],
  [{ allow: ['group:ui'] }, 'browser canvas', 'browser canvas', 'browser canvas'],
  [{ allow: ['group:automation'] }, 'cron gateway', '', ''],
  [{ allow: ['group:messaging'] }, 'message', 'message', 'message'],
  [{ allow: ['group:goclaw'] }, all.join(' '), forAll, forAll],
  [{ allow: ['Skill', 'tts', 'cron'] }, 'Skill cron tts', 'Skill tts', 'Skill tts'],
  [
    { profile: 'coding', alsoAllow: ['browser'] },
    'process browser image',
    'process browser image',
    'process browser image',
  ],
  [
    { profile: 'coding', alsoAllow: ['cron', 'gateway'] },
    'process cron image gateway',
    'process image',
    'process image',
  ],
  [{ profile: 'coding', deny: ['image'] }, 'process', 'process', 'process'],
  [{ profile: 'coding', deny: ['group:runtime'], alsoAllow: ['process'] }, 'image', 'image', 'image'],
  [{ deny: ['group:goclaw'] }, '', '', ''],
  [{ allow: ['browser', 'cron'], deny: ['group:ui'] }, 'cron', '', ''],
  [{ subagents: { deny: ['group:messaging'] } }, all.join(' '), without('message'), without('message')],
  [
    { subagents: { leafDeny: ['nodes', 'group:ui'] } },
    all.join(' '),
    forAll,
    'process skill_search Skill message image analyze_image tts',
  ],
  [{ byAgent: { painter: { allow: ['image'] } } }, all.join(' '), forAll, forAll],
];

function without(name: string): string {
  return all.filter((one) => one !== name).join(' ');
}

test('profiles, groups and denies offer the extra tools at each depth, and all others are refused', async () => {
  expect(all).toHaveLength(12);
  await eachRow(
    rows,
    async ([policy, ...expected]) => {
      const toolkit = createToolkit({
        root: '/workspace',
        hosts: { files: memoryFiles({ root: '/workspace' }) },
        permissions: 'bypassPermissions',
        policy,
        limits: { subagents: { maxDepth: 2 } },
      });
      onTestFinished(() => toolkit.dispose());
      toolkit.registry.register(...inventory(toolkit));
      const calls = all.map((name) => ({ id: name, name, input: {} }));
      for (const depth of [0, 1, 2]) {
        const listed = toolkit.definitions(at(depth)).map(({ name }) => name);
        const { results } = await toolkit.execute(calls, { caller: at(depth) });
        const callable = results.filter((result) => result.ok || result.error.code !== 'not_allowed');
        const wanted = all.filter((name) => expected[depth]?.split(' ').includes(name));
        expect([depth, all.filter((name) => listed.includes(name))]).toEqual([depth, wanted]);
        expect([depth, callable.map(({ callId }) => callId)]).toEqual([depth, wanted]);
      }
    },
    ([policy]) => policy,
  );
});

test('calls of cron and gateway by subagents are refused even if a policy offers the tools', async () => {
  const toolkit = createToolkit({
    root: '/workspace',
    hosts: { files: memoryFiles({ root: '/workspace' }) },
    permissions: 'bypassPermissions',
    policy: { subagents: { deny: [] } },
  });
  onTestFinished(() => toolkit.dispose());
  toolkit.registry.register(...inventory(toolkit));
  for (const [name, action] of [
    ['cron', 'list'],
    ['gateway', 'status'],
  ] as const)
    expect(await toolkit.call(name, { action }, { caller: at(1) })).toMatchObject({
      error: { code: 'command_denied' },
      output: expect.stringContaining('only the main agent'),
    });
});
