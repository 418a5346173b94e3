import { agentKey, type Caller, type CallScope } from '../core/context.js';
import { ToolError } from '../core/error.js';
import { defaultLimits, type Limits } from '../core/limits.js';
import type { AgentMessage, StartedSubagent, SubagentView, ToolkitSubagents } from '../core/subagent.js';
import { ifPossible } from '../core/support/check-values.js';
import { quietly } from '../core/support/listeners.js';
import { nextTurn, waitFor } from '../core/support/timers.js';
import type { TeamCoordinator, TeamMember, TeamMessage, TeamRequest, TeamStatus } from '../ports/agents/teams.js';

export type MailboxLimits = Pick<Limits['subagents'], 'maxMessages' | 'maxMessageChars'> & {
  /** The maximum number of characters that the lead receives at once. Further messages stay in the mailbox. */
  readonly maxChars: number;
};

/** The interface that starts and ends the members, such as `toolkit.subagents`. */
export type TeamAgents = Pick<ToolkitSubagents, 'spawn' | 'cancel' | 'send' | 'list'>;

/** Limits of teams in this process. */
export type TeamLimits = MailboxLimits & Pick<Limits['subagents'], 'settleMs'>;

/** Teams whose `receive` and `active` are synchronous. */
export interface InProcessTeams extends Required<TeamCoordinator> {
  receive(name: string, scope: CallScope): readonly AgentMessage[];
  active(scope: CallScope): TeamStatus | undefined;
}

interface Team {
  readonly name: string;
  readonly lead: Caller;
  readonly members: Map<string, StartedSubagent>;
  /** The latest shutdown request to each member. */
  readonly requests: Map<string, { readonly id: string; readonly from: string }>;
}

const leadName = 'lead';
const invalid = (message: string) => new ToolError('invalid_input', message);

/** Runs teams of subagents, at most one for each session, with mailboxes in memory. */
export function inProcessTeams(
  agents: TeamAgents,
  limits: TeamLimits = { ...defaultLimits.subagents, maxChars: defaultLimits.output.maxChars },
): InProcessTeams {
  const forLeads = leadMailboxes(limits);
  const teams = new Map<string, Team>();
  let requestCount = 0;

  async function create(request: TeamRequest, { caller }: CallScope): Promise<TeamStatus> {
    const old = teamOf(caller);
    if (old !== undefined)
      throw invalid(
        `This session has the team ${old.name} already. End it with TeamDelete before you create another team.`,
      );
    const names = request.members.map(({ name }) => name);
    if (new Set([...names, leadName]).size <= names.length)
      throw invalid(`members: names must be unique, and the name ${leadName} is reserved for you.`);
    const members = new Map<string, StartedSubagent>();
    try {
      for (const member of request.members) {
        const { name, subagentType: type, model } = member;
        const task = { description: `${name} of team ${request.name}`, prompt: briefing(request, member), type, model };
        members.set(name, agents.spawn({ ...task, name, teamName: request.name }, { caller }));
      }
    } catch (thrown) {
      await cancel([...members.values()]);
      throw thrown;
    }
    const team = { name: request.name, lead: caller, members, requests: new Map() };
    teams.set(caller.sessionId, team);
    return statusOf(team);
  }

  async function send(message: TeamMessage, { caller }: CallScope): Promise<{ readonly delivered: readonly string[] }> {
    const team = teamOf(caller);
    const from = team && nameIn(team, caller);
    if (team === undefined || from === undefined)
      throw invalid('You are in no team, so there is no recipient. Create a team with TeamCreate, or continue alone.');
    const { maxMessageChars } = limits;
    // Checked before delivery, because delivery restarts an ended member.
    if (message.text.length > maxMessageChars)
      throw new ToolError('limit_reached', `A message has at most ${maxMessageChars} characters. Write a shorter one.`);
    const { to, type } = message;
    if (type === 'shutdown_request') return requestShutdown(team, from, message);
    if (type === 'shutdown_response') return respond(team, from, message);
    const note: AgentMessage = { from, text: message.text, type };
    if (to !== '*') return deliver(team, [recipient(team, from, to, 'completed')], note);
    return deliver(team, othersIn(team, from), { ...note, type: 'broadcast' });
  }

  function receive(name: string, { caller }: CallScope): readonly AgentMessage[] {
    return name === leadName ? forLeads.take(caller) : [];
  }

  async function remove(
    name: string,
    { force }: { readonly force: boolean },
    { caller, signal }: CallScope,
  ): Promise<void> {
    const team = teamOf(caller);
    if (team?.name !== name)
      throw invalid(`There is no team ${JSON.stringify(name)}.${team ? ` The team here is ${team.name}.` : ''}`);
    if (nameIn(team, caller) !== leadName) throw invalid('Only the lead, who created the team, can end the team.');
    const running = [...team.members].filter(([, member]) => isRunning(member));
    if (running.length > 0 && !force) {
      const names = running.map(([one]) => one).join(', ');
      const next = 'Send each a shutdown_request with SendMessage, or call again with force';
      throw invalid(`These members are still running: ${names}. ${next}.`);
    }
    const text = 'The team is being ended: finish now.';
    for (const [to] of running) {
      // The mailbox of the member may be full, or the member may have ended meanwhile.
      quietly(() => requestShutdown(team, leadName, { to, text, type: 'shutdown_request' }));
    }
    const all = running.map(([, member]) => member);
    const over = new AbortController();
    const settled = waitFor(running.length === 0 ? 0 : limits.settleMs, AbortSignal.any([signal, over.signal]));
    await Promise.race([Promise.all(all.map(({ done }) => done)), settled]);
    over.abort();
    await cancel(all);
    if (teams.get(caller.sessionId) === team) teams.delete(caller.sessionId);
  }

  function active({ caller }: CallScope): TeamStatus | undefined {
    const team = teamOf(caller);
    return team && statusOf(team);
  }

  function endSession(sessionId: string): void {
    teams.delete(sessionId);
    forLeads.endSession(sessionId);
  }

  function requestShutdown(
    team: Team,
    from: string,
    { to, text, requestId }: TeamMessage,
  ): { readonly delivered: readonly string[] } {
    const member = recipient(team, from, to);
    if (member === leadName) throw invalid('to: members cannot end the lead. Send the lead a message.');
    const id = requestId ?? `shutdown_${++requestCount}`;
    const sent = deliver(team, [member], { from, text, type: 'shutdown_request', requestId: id });
    team.requests.set(member, { id, from });
    return sent;
  }

  function respond(team: Team, from: string, { text, requestId, approve }: TeamMessage) {
    const request = team.requests.get(from);
    const member = team.members.get(from);
    if (request === undefined || member === undefined || (requestId ?? request.id) !== request.id)
      throw invalid(`request_id: you got no shutdown_request${requestId === undefined ? '' : ' with that id'}.`);
    if (approve === undefined)
      throw invalid('approve: pass true to end, or false to refuse, with the reason in the message.');
    const note: AgentMessage = { from, text, type: 'shutdown_response', requestId: request.id, approve };
    const asker = team.members.get(request.from);
    // An asker that failed or was cancelled is not resumed by the answer.
    const isReachable = asker === undefined || isRunning(asker) || viewOf(asker.id)?.state === 'completed';
    const to = isReachable ? [request.from] : [];
    if (!approve) {
      const sent = deliver(team, to, note);
      team.requests.delete(from);
      return sent;
    }
    team.requests.delete(from);
    // The cancellation waits, so that the call that approves the shutdown gets its result first.
    void nextTurn().then(() => cancel([member]));
    return ifPossible(() => deliver(team, to, note)) ?? { delivered: [] };
  }

  function deliver(team: Team, to: readonly string[], note: AgentMessage): { readonly delivered: readonly string[] } {
    const delivered: string[] = [];
    const refused: ToolError[] = [];
    for (const name of to) {
      try {
        const member = team.members.get(name);
        if (member === undefined) forLeads.put(team.lead, note);
        else sendToMember(team, name, member.id, note);
        delivered.push(name);
      } catch (thrown) {
        refused.push(ToolError.from(thrown));
      }
    }
    const [first] = refused;
    if (first === undefined) return { delivered };
    throw delivered.length === 0 ? first : first.with(`${first.message} Only ${delivered.join(', ')} got it.`);
  }

  /** Sends a message to a member; resumes an ended member. */
  function sendToMember(team: Team, name: string, id: string, note: AgentMessage): void {
    if (!isRunning({ id })) {
      const task = { description: `${name} of team ${team.name}`, prompt: 'A message has come for you.', resume: id };
      team.members.set(name, agents.spawn(task, { caller: team.lead }));
    }
    agents.send(id, note);
  }

  /** Returns the name of a recipient. Throws if the recipient is neither running nor in the state `state`. */
  function recipient(team: Team, from: string, to: string, state?: 'completed'): string {
    if (to === from) throw invalid('to: that is you. Name another member.');
    const others = othersIn(team, from);
    const member = team.members.get(to);
    if (others.includes(to) || (member && state && viewOf(member.id)?.state === state)) return to;
    const why = member ? `${to} has ended` : `there is no ${JSON.stringify(to)} in the team`;
    throw invalid(`to: ${why}. There are: ${others.join(', ') || 'none any more'}.`);
  }

  function othersIn({ members }: Team, from: string): readonly string[] {
    const running = [...members].flatMap(([name, member]) => (isRunning(member) ? [name] : []));
    return [leadName, ...running].filter((name) => name !== from);
  }

  /** The team of a session. A team ends with the agent that leads it. */
  function teamOf({ sessionId }: Caller): Team | undefined {
    const team = teams.get(sessionId);
    const leader = team?.lead.depth ? team.lead.agentId : undefined;
    if (leader === undefined || isRunning({ id: leader })) return team;
    teams.delete(sessionId);
    return undefined;
  }

  function statusOf({ name, members }: Team): TeamStatus {
    const states = [...members].map(([member, { id }]) => {
      return { name: member, agentId: id, state: viewOf(id)?.state ?? 'archived' };
    });
    return { name, members: states };
  }

  function viewOf(id: string): SubagentView | undefined {
    return agents.list().find(({ agentId }) => agentId === id);
  }

  function isRunning({ id }: Pick<StartedSubagent, 'id'>): boolean {
    const state = viewOf(id)?.state;
    return state === 'spawning' || state === 'running';
  }

  async function cancel(members: readonly StartedSubagent[]): Promise<void> {
    const running = members.filter((member) => isRunning(member));
    await Promise.allSettled(running.map(({ id }) => agents.cancel(id)));
  }

  return { create, send, receive, remove, active, endSession };
}

function nameIn({ lead, members }: Team, { agentId }: Caller): string | undefined {
  if (agentId === lead.agentId) return leadName;
  return [...members].find(([, { id }]) => id === agentId)?.[0];
}

function briefing({ name, description, members }: TeamRequest, { name: own, prompt }: TeamMember): string {
  const others = members.flatMap((member) => (member.name === own ? [] : [member.name]));
  const purpose = description === undefined ? '' : `, which is to: ${description}`;
  return `You are ${own} of the team ${name}${purpose}. Talk to ${[leadName, ...others].join(', ')} by SendMessage; their messages arrive automatically.\n\n${prompt}`;
}

/** The messages that wait for leads of teams. Messages stay after the team has ended. */
function leadMailboxes({ maxMessages, maxChars }: MailboxLimits) {
  const mailboxes = new Map<string, { readonly sessionId: string; readonly waiting: AgentMessage[] }>();

  /** Adds a message. Throws `limit_reached` for a full mailbox. */
  function put({ sessionId, agentId }: Caller, message: AgentMessage): void {
    const key = agentKey({ sessionId, agentId });
    const { waiting } = mailboxes.get(key) ?? { waiting: [] };
    if (waiting.length >= maxMessages)
      throw new ToolError(
        'limit_reached',
        `The lead's mailbox is full (${maxMessages} messages). Continue without sending this one.`,
      );
    mailboxes.set(key, { sessionId, waiting: [...waiting, message] });
  }

  /** Removes and returns the oldest messages within the limit of characters, but at least one. */
  function take(caller: Caller): readonly AgentMessage[] {
    const { waiting = [] } = mailboxes.get(agentKey(caller)) ?? {};
    let count = 0;
    for (let chars = 0; count < waiting.length; count++) {
      chars += waiting[count]?.text.length ?? 0;
      if (chars > maxChars && count > 0) break;
    }
    const taken = waiting.splice(0, count);
    if (waiting.length === 0) mailboxes.delete(agentKey(caller));
    return taken;
  }

  function endSession(sessionId: string): void {
    for (const [key, one] of mailboxes) if (one.sessionId === sessionId) mailboxes.delete(key);
  }

  return { put, take, endSession };
}
