/** A step from one state of the tables to the next. Once released, its text must not change. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

const updated = 'updated_at timestamptz NOT NULL DEFAULT now()';
const created = 'created_at timestamptz NOT NULL DEFAULT now()';
const versioned = `version uuid NOT NULL DEFAULT gen_random_uuid(), ${updated}`;
const position = 'position bigint GENERATED ALWAYS AS IDENTITY UNIQUE';
const enabled = 'enabled boolean NOT NULL DEFAULT true';
const ofServer = 'server_id uuid NOT NULL REFERENCES mcp_servers ON DELETE CASCADE';
const document = 'name text NOT NULL, content bytea NOT NULL';
const filter = 'tool_allow jsonb, tool_deny jsonb';

const table = (name: string, columns: readonly string[]) =>
  `CREATE TABLE ${name} (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), ${columns.join(', ')})`;
const unique = (...columns: readonly string[]) => `UNIQUE NULLS NOT DISTINCT (${columns.join(', ')})`;

/**
 * All migrations. Columns for free text are `json`, since `jsonb` rejects NUL in texts; `sealed_` columns contain only
 * encrypted secrets.
 */
export const migrations: readonly Migration[] = [
  {
    name: '001-tables',
    statements: [
      table('agent_context_files', ['agent_id text', document, versioned, unique('agent_id', 'name')]),
      table('user_context_files', [
        ...['agent_id text', 'user_id text NOT NULL', document, versioned, unique('user_id', 'agent_id', 'name')],
      ]),
      // chunked_version: the version of the document from which its chunks were made.
      table('memory_documents', [
        ...['agent_id text', 'user_id text', document, versioned, 'chunked_version uuid'],
        unique('agent_id', 'user_id', 'name'),
      ]),
      // Lines are not unique, because a long line has several chunks.
      table('memory_chunks', [
        'document_id uuid NOT NULL REFERENCES memory_documents ON DELETE CASCADE',
        ...['start_line integer NOT NULL', 'end_line integer NOT NULL', 'hash text NOT NULL', 'content text NOT NULL'],
        "words tsvector GENERATED ALWAYS AS (to_tsvector('english', content)) STORED",
        ...['embedding_model text', 'embedding real[]'],
      ]),
      'CREATE INDEX memory_chunks_document_id ON memory_chunks (document_id)',
      'CREATE INDEX memory_chunks_words ON memory_chunks USING gin (words)',
      table('custom_tools', [
        ...['agent_id text', 'name text NOT NULL', 'description text NOT NULL', 'parameters json NOT NULL'],
        ...['command text NOT NULL', 'timeout_seconds integer NOT NULL DEFAULT 60', 'working_dir text'],
        ...['sealed_env json', enabled, versioned, created, unique('agent_id', 'name')],
      ]),
      table('mcp_servers', [
        ...['name text NOT NULL UNIQUE', 'config json NOT NULL', 'sealed_secrets json', enabled, versioned, created],
      ]),
      table('mcp_agent_grants', [
        ...[ofServer, 'agent_id text NOT NULL', filter, 'config_overrides jsonb', enabled, created, updated],
        'UNIQUE (agent_id, server_id)',
      ]),
      table('mcp_user_grants', [
        ...[ofServer, 'user_id text NOT NULL', filter, enabled, created, updated, 'UNIQUE (user_id, server_id)'],
      ]),
      table('mcp_access_requests', [
        ...[ofServer, "scope text NOT NULL CHECK (scope IN ('agent', 'user'))", 'subject text NOT NULL'],
        ...['tool_allow jsonb', 'requested_by text NOT NULL'],
        "status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected'))",
        ...['reviewed_by text', 'reviewed_at timestamptz', 'note text', created],
      ]),
      `CREATE UNIQUE INDEX mcp_access_requests_open ON mcp_access_requests (server_id, scope, subject)
        WHERE status = 'pending'`,
      table('suspensions', [
        ...['turn_id text NOT NULL', 'call_id text NOT NULL'],
        ...['holder uuid NOT NULL', 'held_until timestamptz NOT NULL'],
        ...['settled json', created, 'UNIQUE (turn_id, call_id)'],
      ]),
      'CREATE INDEX suspensions_created_at ON suspensions (created_at)',
      'CREATE INDEX suspensions_holder ON suspensions (holder) WHERE settled IS NULL',
      table('dead_letters', [position, 'letter_id text NOT NULL UNIQUE', 'letter json NOT NULL', created]),
      table('todos', [
        ...['session_id text NOT NULL', 'agent_id text', 'todos json NOT NULL', updated],
        unique('session_id', 'agent_id'),
      ]),
      table('tasks', [
        'session_id text NOT NULL UNIQUE',
        ...['next_id integer NOT NULL DEFAULT 1', "tasks json NOT NULL DEFAULT '[]'", updated],
      ]),
      table('settings', [
        ...['agent_id text', 'user_id text', 'name text NOT NULL', 'value json NOT NULL', updated],
        unique('agent_id', 'user_id', 'name'),
      ]),
      table('subagent_leases', [
        ...['subagent_id text NOT NULL UNIQUE', 'session_id text NOT NULL', 'holder uuid NOT NULL'],
        'token bigint GENERATED ALWAYS AS IDENTITY UNIQUE',
        ...['held_until timestamptz NOT NULL', 'request json NOT NULL', 'settled json', created],
      ]),
      table('audit', [
        ...[position, 'actor text NOT NULL', 'action text NOT NULL', 'object text NOT NULL', 'details json', created],
      ]),
      table('schedules', [
        ...['agent_id text', 'user_id text', "jobs json NOT NULL DEFAULT '[]'", "runs json NOT NULL DEFAULT '[]'"],
        ...['due_at timestamptz', updated, unique('agent_id', 'user_id')],
      ]),
      'CREATE INDEX schedules_due_at ON schedules (due_at)',
      // The table of rate-limiter-flexible, without its limit on the length of keys.
      'CREATE TABLE rate_limits (key text PRIMARY KEY, points integer NOT NULL, expire bigint NOT NULL)',
      'CREATE INDEX rate_limits_expire ON rate_limits (expire)',
      'CREATE TABLE change_counts (channel text PRIMARY KEY, changes bigint NOT NULL)',
    ],
  },
];
