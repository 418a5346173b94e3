import { expect, test } from 'vitest';
import { samples } from '../../support/each-row.js';
import { mcpWorld } from './mcp-world.js';

// Forty services with five objects each, some of them similar, and five tools for each object.
const services = samples`
  github: pull request, branch, release, commit comment, webhook
  jira: issue, sprint, board, worklog, comment
  slack: channel, direct message, emoji reaction, reminder, user group
  stripe: invoice, refund, subscription, payment intent, coupon
  gmail: email thread, draft, label, mail filter, attachment
  calendar: calendar event, attendee, free busy slot, holiday, meeting room
  drive: folder, shared file, file permission, revision, file comment
  salesforce: opportunity, lead, account, campaign, contact
  zendesk: support ticket, macro, satisfaction rating, help article, agent group
  postgres: table, index, database row, view, slow query
  aws_s3: bucket, object, lifecycle rule, bucket policy, multipart upload
  aws_ec2: virtual machine, security group, volume snapshot, key pair, elastic address
  kubernetes: pod, deployment, config map, namespace, ingress
  docker: container, image, network, volume, registry tag
  sentry: crash report, alert rule, release health, stack trace, issue owner
  datadog: monitor, dashboard, log pipeline, metric, synthetic test
  notion: page, block, workspace database, template, page comment
  figma: design file, component, frame, color style, design comment
  spotify: playlist, track, album, podcast episode, listening device
  youtube: video, subtitle, video channel, live stream, playlist item
  weather: forecast, storm warning, air quality, station, rain radar
  maps: route, place, geocode, traffic incident, travel time
  hubspot: deal, marketing email, form submission, company, sales sequence
  shopify: product, order, inventory level, discount code, shipment
  twilio: text message, phone call, phone number, voice recording, verification code
  linear: project milestone, cycle, roadmap, triage item, team
  confluence: wiki space, wiki page, blog post, inline comment, whiteboard
  trello: card, checklist, card member, trello list, due date
  asana: task dependency, portfolio, goal, custom field, status update
  airtable: base, record, field, grid view, automation
  quickbooks: bill, vendor, journal entry, expense, tax rate
  workday: employee, time off request, payroll run, job posting, pay slip
  okta: user login, access policy, single sign on app, security factor, user role
  pagerduty: incident, on call schedule, escalation policy, service outage, postmortem
  jenkins: build job, build log, build agent, plugin, pipeline stage
  terraform: infrastructure plan, state lock, module, provider, workspace variable
  redis: cache key, sorted set, stream consumer, memory usage, lua script
  mongodb: document, collection, aggregation, replica set, change stream
  home: light, thermostat, door lock, security camera, scene
  bank: bank transfer, standing order, account statement, credit card, exchange rate
`.map((line) => line.split(': ', 2) as [service: string, things: string]);

const several = (thing: string) => (/(?:s|x|ch)$/.test(thing) ? `${thing}es` : `${thing.replace(/y$/, 'ie')}s`);

// The name and description of a tool, and requests of people for it.
const deeds: readonly (readonly [
  verb: string,
  about: (thing: string) => string,
  ...(readonly ((thing: string) => string)[]),
])[] = [
  [
    'create',
    (thing) => `Create a new ${thing}. Returns its id once it is stored.`,
    (thing) => `I need to create another ${thing} for the team, can you help me?`,
    (thing) => `Please set up a new ${thing} today`,
  ],
  [
    'list',
    (thing) => `List all ${several(thing)} with filters and paging, newest first.`,
    (thing) => `could you list the ${several(thing)} we have right now`,
    (thing) => `Which ${several(thing)} are there? Show the newest ones first`,
  ],
  [
    'get',
    (thing) => `Get the details of one ${thing} by its id.`,
    (thing) => `What are the details of that ${thing}?`,
    (thing) => `I'd like to look at a single ${thing}, I know the id`,
  ],
  [
    'update',
    (thing) => `Update fields of an existing ${thing}; what is left out stays the same.`,
    (thing) => `We should be updating the existing ${thing} before Friday`,
    (thing) => `Some fields of the ${thing} are wrong and have to change`,
  ],
  [
    'delete',
    (thing) => `Delete a ${thing} for good. This cannot be undone.`,
    (thing) => `Nobody wants this ${thing} any more, it should be deleted`,
    (thing) => `Please get rid of the ${thing} for good`,
  ],
];

const named = (verb: string, thing: string, at: number) => {
  const words = `${verb} ${thing}`.split(' ');
  const camel = words.map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`)).join('');
  return [words.join('_'), words.join('-'), camel][at % 3] ?? '';
};

test('a sentence finds its tool among the first five of 1,000 almost always', async () => {
  const asked: { readonly tool: string; readonly query: string }[] = [];
  const servers = services.map(([service, things], at) => {
    const tools = things.split(', ').flatMap((thing) =>
      deeds.map(([verb, about, ...ways], deed) => {
        const name = named(verb, thing, at);
        const way = ways[(at + deed) % ways.length];
        const words = service.replaceAll('_', ' ');
        const query = `${way?.(thing)}${(at + deed) % 2 === 0 ? ` in ${words}` : ''}`;
        asked.push({ tool: `mcp__${service}__${name}`, query });
        return { name, description: about(thing) };
      }),
    );
    return [service, { tools }] as const;
  });
  const { toolkit } = await mcpWorld(Object.fromEntries(servers), { limits: { mcp: { deferOverChars: 0 } } });
  const missed: string[] = [];
  for (const { tool, query } of asked) {
    const { metadata } = await toolkit.call('ToolSearch', { query });
    if (!(metadata?.found as readonly string[]).includes(tool)) missed.push(`${tool}: ${query}`);
  }
  expect(asked).toHaveLength(1_000);
  expect(1 - missed.length / asked.length, missed.join('\n')).toBeGreaterThanOrEqual(0.95);
});
