import { randomUUID } from 'node:crypto';
import type { Caller } from '../../core/context.js';
import { ToolError } from '../../core/error.js';
import type { SubagentTask } from '../../core/subagent.js';
import {
  assertArgument,
  assertOptions,
  having,
  type OptionKinds,
  timersKind,
} from '../../core/support/check-values.js';
import { systemTimers, type Timers } from '../../core/support/timers.js';
import type { SubagentRequest } from '../../ports/agents/subagents.js';
import type { SqlClient } from '../../ports/sql-client.js';
import { type LeasedEnd, SubagentLease } from './lease.js';

/** Options of subagent leases. */
export interface SubagentLeasesOptions {
  /** Duration of a lease without renewal, in milliseconds. Default 30,000. */
  readonly leaseMs?: number | undefined;
  /** Interval of renewals, and of checks for expired leases, in milliseconds. Default 10,000. */
  readonly renewMs?: number | undefined;
  /** Clock and timers, for tests. */
  readonly timers?: Timers | undefined;
}

/** The stored part of a run, so that another process can restart it. */
interface StoredRun {
  /** The workspace. Only processes with the same workspace take the run over. */
  readonly root: string;
  readonly task: SubagentTask;
  /** The subagent as a caller: its id, its parent and its depth. */
  readonly caller: Caller;
}

/** A run that was taken over. */
export interface TakenRun extends StoredRun {
  readonly id: string;
  readonly lease: SubagentLease;
}

const positive = {
  takes: 'a number above 0',
  isShown: true,
  holds: (value: unknown) => Number.isFinite(value) && Number(value) > 0,
};
const kinds: OptionKinds<SubagentLeasesOptions> = { leaseMs: positive, renewMs: positive, timers: timersKind };

/** Assigns runs of subagents to processes: a run belongs to one process while that process renews the lease. */
export class SubagentLeases {
  readonly timers: Timers;
  readonly leaseMs: number;
  readonly renewMs: number;
  readonly #client: SqlClient;
  readonly #holder = randomUUID();
  readonly #adopted = new Map<string, SubagentLease>();

  constructor(client: SqlClient, options: SubagentLeasesOptions = {}) {
    const aClient = having('a SqlClient', 'query', 'transaction');
    assertArgument('subagentLeases takes a SqlClient', client, aClient, 'subagentLeases(fromPg(pool))');
    assertOptions('subagentLeases', options, kinds);
    const { leaseMs = 30_000, renewMs = 10_000, timers = systemTimers } = options;
    if (renewMs >= leaseMs) throw new TypeError('subagentLeases: renewMs must be less than leaseMs');
    this.#client = client;
    this.timers = timers;
    this.leaseMs = leaseMs;
    this.renewMs = renewMs;
  }

  /** Claims a run. Rejects with `execution_failed` if another process holds it. */
  async claim(request: SubagentRequest, caller: Caller, root: string): Promise<SubagentLease> {
    const { id } = request;
    const adopted = this.#adopted.get(id);
    this.#adopted.delete(id);
    if (adopted !== undefined) return adopted;
    const run: StoredRun = { root, caller, task: await this.#taskOf(request) };
    const claimedAt = this.timers.now();
    const { rows } = await this.#client.query(
      `WITH forgotten AS (
        DELETE FROM subagent_leases
        WHERE created_at < now() - interval '7 days' AND held_until < now() AND subagent_id <> $1
      )
      INSERT INTO subagent_leases (subagent_id, session_id, holder, request, held_until)
      VALUES ($1, $2, $3, $4, now() + $5 * interval '1 millisecond')
      ON CONFLICT (subagent_id) DO UPDATE SET token = DEFAULT, settled = NULL, holder = EXCLUDED.holder,
        session_id = EXCLUDED.session_id, request = EXCLUDED.request, held_until = EXCLUDED.held_until
      WHERE subagent_leases.settled IS NOT NULL OR subagent_leases.holder = EXCLUDED.holder
      RETURNING token`,
      [id, caller.sessionId, this.#holder, JSON.stringify(run), this.leaseMs],
    );
    if (rows[0] === undefined)
      throw new ToolError('execution_failed', `Another process runs ${id}. Start another subagent.`);
    return new SubagentLease(this.#client, String(rows[0].token), this, claimedAt);
  }

  /** Takes over the oldest run of the workspace with an expired lease, if there is one. */
  async takeNext(root: string): Promise<TakenRun | undefined> {
    const claimedAt = this.timers.now();
    const { rows } = await this.#client.query(
      `UPDATE subagent_leases SET token = DEFAULT, holder = $1, held_until = now() + $2 * interval '1 millisecond'
      WHERE id = (
        SELECT id FROM subagent_leases WHERE settled IS NULL AND held_until < now() AND request->>'root' = $3
        ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING token, subagent_id, request`,
      [this.#holder, this.leaseMs, root],
    );
    if (rows[0] === undefined) return undefined;
    const { token, subagent_id: id, request } = rows[0];
    const lease = new SubagentLease(this.#client, String(token), this, claimedAt);
    return { ...(request as StoredRun), id: String(id), lease };
  }

  /** Makes a subagent of this process the owner of a run that was taken over. */
  adopt(id: string, lease: SubagentLease): void {
    this.#adopted.set(id, lease);
  }

  /** Settles a run that was adopted but never claimed. */
  async disown(id: string): Promise<void> {
    const lease = this.#adopted.get(id);
    this.#adopted.delete(id);
    const error = { code: 'cancelled', message: 'It was stopped before it began.' };
    await lease?.settle({ state: 'failed', error }).catch(() => {});
  }

  /**
   * The result of a subagent of any process. Undefined if the subagent is unknown or was started more than 7 days ago.
   */
  async outcomeOf(id: string): Promise<LeasedEnd | { readonly state: 'running' } | undefined> {
    const { rows } = await this.#client.query('SELECT settled FROM subagent_leases WHERE subagent_id = $1', [id]);
    if (rows[0] === undefined) return undefined;
    return (rows[0].settled as LeasedEnd | null) ?? { state: 'running' };
  }

  /** The task with which another process can restart the run, without the conversation, the team and the name. */
  async #taskOf({ id, resume, message, ...request }: SubagentRequest): Promise<SubagentTask> {
    const { description, type, model, maxTurns, mode, cwd } = request;
    const text = 'SELECT request FROM subagent_leases WHERE subagent_id = $1';
    const before = resume === undefined ? undefined : (await this.#client.query(text, [id])).rows[0]?.request;
    const prompts = before === undefined ? [request.prompt] : [(before as StoredRun).task.prompt, message];
    const isolation = cwd === undefined ? undefined : ('worktree' as const);
    return { description, type, model, maxTurns, mode, isolation, prompt: prompts.filter(Boolean).join('\n\n') };
  }
}

/** Leases of subagents in a migrated database. Throws a TypeError for invalid arguments. */
export function subagentLeases(client: SqlClient, options: SubagentLeasesOptions = {}): SubagentLeases {
  return new SubagentLeases(client, options);
}
