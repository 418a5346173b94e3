import { randomUUID } from 'node:crypto';
import { assertOptions } from '../../core/support/check-values.js';
import { inTurn } from '../../core/support/serial-queue.js';
import { MemoryDocuments } from '../../files/store/in-memory-documents.js';
import type { SqlRow, SqlValue } from '../../ports/sql-client.js';
import { createDeadLetters } from '../../sessions/create-dead-letters.js';
import { createTaskBoard } from '../../sessions/create-task-board.js';
import { memorySuspensions } from '../../sessions/in-memory-suspensions.js';
import { createTodoStore } from '../../sessions/in-memory-todo-store.js';
import { customToolStore } from '../custom-tools/store.js';
import type { Columns, Rows } from '../database/table-rows.js';
import type { Database } from '../database/tables.js';
import { mcpGrantStore } from '../mcp/grant-store.js';
import { memoryAudit } from './audit-logs.js';
import { type ManagedStores, type ManagedStoresOptions, storesKinds } from './in-database.js';
import { settingsStore } from './settings.js';

/** The stores of {@link managedStores} in memory, for tests and for a single process that need not keep its state. */
export function memoryStores(options: ManagedStoresOptions = {}): ManagedStores {
  assertOptions('memoryStores', options, storesKinds);
  const database = memoryDatabase();
  const box = options.box ?? { seal: (text) => text, open: (text) => text };
  const stores: ManagedStores = {
    contextFiles: new MemoryDocuments(),
    memory: new MemoryDocuments(),
    customTools: customToolStore(database, box),
    mcp: mcpGrantStore(database, box),
    suspensions: memorySuspensions(),
    deadLetters: createDeadLetters(),
    todos: createTodoStore(),
    tasks: createTaskBoard(),
    config: settingsStore(database),
    audit: memoryAudit(),
    transaction: (run) => run(stores),
  };
  return stores;
}

const jsonColumns = /^(?:config|config_overrides|parameters|sealed_\w+|tool_\w+|value)$/;

/** Tables in memory, created on first use. All operations run one after the other. */
function memoryDatabase(): Database {
  const tables = new Map<string, MemoryRows>();
  const changes = new Map<string, number>();
  const oneByOne = inTurn();
  const rowsOf = (table: string): MemoryRows => {
    const rows = tables.get(table) ?? new MemoryRows();
    tables.set(table, rows);
    return rows;
  };
  const changed = async (channel: string) => void changes.set(channel, (changes.get(channel) ?? 0) + 1);
  return {
    changed,
    rows: (table) => ({
      find: (...asked) => oneByOne(() => rowsOf(table).find(...asked)),
      page: (...asked) => oneByOne(() => rowsOf(table).page(...asked)),
      put: (...asked) => oneByOne(() => rowsOf(table).put(...asked)),
      change: (...asked) => oneByOne(() => rowsOf(table).change(...asked)),
      remove: (...asked) => oneByOne(() => rowsOf(table).remove(...asked)),
    }),
    transaction: (run) =>
      oneByOne(async () => {
        const before = new Map(Array.from(tables, ([name, { rows }]) => [name, new Map(rows)]));
        try {
          return await run({ rows: rowsOf, changed });
        } catch (thrown) {
          for (const [name, table] of tables) table.rows = before.get(name) ?? new Map();
          throw thrown;
        }
      }),
    version: async (channel) => String(changes.get(channel) ?? 0),
  };
}

/** The part of `sqlRows` that the stores use, in memory. */
class MemoryRows implements Rows {
  rows = new Map<string, SqlRow>();

  find: Rows['find'] = async (where) => structuredClone(this.#matching(where));

  page: Rows['page'] = async (where, { after = '', limit = 100 } = {}) =>
    structuredClone(this.#matching(where))
      .filter(({ id }) => String(id) > after)
      .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
      .slice(0, limit);

  put: Rows['put'] = async (key, values, change) => {
    if (this.#matching(key).length > 0) return change === undefined ? [] : await this.change(key, values, change);
    const made = { id: randomUUID(), version: randomUUID(), created_at: new Date(), enabled: true, status: 'pending' };
    const row = { ...made, ...parsed({ ...key, ...values }) };
    this.rows.set(String(row.id), row);
    return structuredClone([row]);
  };

  change: Rows['change'] = async (where, values, change) =>
    this.#matching(where).map((row) => {
      const next = { ...row, ...parsed(values), ...evaluated(change) };
      this.rows.set(String(row.id), next);
      return structuredClone(next);
    });

  remove = async (where: Columns) => {
    const found = this.#matching(where);
    for (const { id } of found) this.rows.delete(String(id));
    return found.length > 0;
  };

  #matching(where: Columns): readonly SqlRow[] {
    const wanted = Object.entries(where);
    return [...this.rows.values()].filter((row) =>
      wanted.every(([name, value]) => (row[name] ?? null) === (value ?? null)),
    );
  }
}

function parsed(values: Columns): SqlRow & { readonly id?: string } {
  const kept = (name: string, value: SqlValue) =>
    value === undefined ? null : jsonColumns.test(name) ? JSON.parse(String(value)) : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, kept(name, value)]));
}

/** The values that `column = now()` and `column = gen_random_uuid()` set. */
function evaluated(change: string): SqlRow {
  const made = [...change.matchAll(/(\w+) = (now|gen_random_uuid)\(\)/g)];
  return Object.fromEntries(made.map(([, column, call]) => [column, call === 'now' ? new Date() : randomUUID()]));
}
