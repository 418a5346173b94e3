/** A step from one state of the tables to the next. Once released, its text stays as it is. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * The tables, step by step. What went to a model or came from one is `json`, which takes every text; `jsonb` refuses
 * some. Secrets stand sealed in columns that are named so.
 */
export const migrations: readonly Migration[] = [
  {
    name: '001-tables',
    statements: [
      `CREATE TABLE agent_context_files (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        agent_id text,
        name text NOT NULL,
        content bytea NOT NULL,
        version uuid NOT NULL DEFAULT gen_random_uuid(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE NULLS NOT DISTINCT (agent_id, name)
      )`,
      `CREATE TABLE user_context_files (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        agent_id text,
        user_id text NOT NULL,
        name text NOT NULL,
        content bytea NOT NULL,
        version uuid NOT NULL DEFAULT gen_random_uuid(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE NULLS NOT DISTINCT (user_id, agent_id, name)
      )`,
      `CREATE TABLE memory_documents (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        agent_id text,
        user_id text,
        name text NOT NULL,
        content bytea NOT NULL,
        version uuid NOT NULL DEFAULT gen_random_uuid(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE NULLS NOT DISTINCT (agent_id, user_id, name)
      )`,
      `CREATE TABLE memory_chunks (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        document_id uuid NOT NULL REFERENCES memory_documents ON DELETE CASCADE,
        start_line integer NOT NULL,
        end_line integer NOT NULL,
        hash text NOT NULL,
        content text NOT NULL,
        words tsvector GENERATED ALWAYS AS (to_tsvector('english', content)) STORED,
        embedding_model text,
        embedding real[],
        UNIQUE (document_id, start_line)
      )`,
      'CREATE INDEX memory_chunks_words ON memory_chunks USING gin (words)',
      `CREATE TABLE custom_tools (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        agent_id text,
        name text NOT NULL,
        description text NOT NULL,
        parameters json NOT NULL,
        command text NOT NULL,
        timeout_seconds integer NOT NULL DEFAULT 60,
        working_dir text,
        sealed_env json,
        enabled boolean NOT NULL DEFAULT true,
        version uuid NOT NULL DEFAULT gen_random_uuid(),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE NULLS NOT DISTINCT (agent_id, name)
      )`,
      `CREATE TABLE mcp_servers (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL UNIQUE,
        config json NOT NULL,
        sealed_secrets json,
        enabled boolean NOT NULL DEFAULT true,
        version uuid NOT NULL DEFAULT gen_random_uuid(),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`,
      `CREATE TABLE mcp_agent_grants (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        server_id uuid NOT NULL REFERENCES mcp_servers ON DELETE CASCADE,
        agent_id text NOT NULL,
        tool_allow jsonb,
        tool_deny jsonb,
        config_overrides jsonb,
        enabled boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (agent_id, server_id)
      )`,
      `CREATE TABLE mcp_user_grants (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        server_id uuid NOT NULL REFERENCES mcp_servers ON DELETE CASCADE,
        user_id text NOT NULL,
        tool_allow jsonb,
        tool_deny jsonb,
        enabled boolean NOT NULL DEFAULT true,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (user_id, server_id)
      )`,
      `CREATE TABLE mcp_access_requests (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        server_id uuid NOT NULL REFERENCES mcp_servers ON DELETE CASCADE,
        scope text NOT NULL CHECK (scope IN ('agent', 'user')),
        subject text NOT NULL,
        tool_allow jsonb,
        requested_by text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
        reviewed_by text,
        reviewed_at timestamptz,
        note text,
        created_at timestamptz NOT NULL DEFAULT now()
      )`,
      `CREATE UNIQUE INDEX mcp_access_requests_open ON mcp_access_requests (server_id, scope, subject)
        WHERE status = 'pending'`,
      `CREATE TABLE suspensions (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        turn_id text NOT NULL,
        call_id text NOT NULL,
        holder uuid NOT NULL,
        held_until timestamptz NOT NULL,
        settled json,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (turn_id, call_id)
      )`,
      'CREATE INDEX suspensions_created_at ON suspensions (created_at)',
      'CREATE INDEX suspensions_holder ON suspensions (holder) WHERE settled IS NULL',
      `CREATE TABLE dead_letters (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        letter_id text NOT NULL UNIQUE,
        letter json NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`,
      `CREATE TABLE todos (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        session_id text NOT NULL,
        agent_id text,
        todos json NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE NULLS NOT DISTINCT (session_id, agent_id)
      )`,
      `CREATE TABLE tasks (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        session_id text NOT NULL UNIQUE,
        next_id integer NOT NULL DEFAULT 1,
        tasks json NOT NULL DEFAULT '[]',
        updated_at timestamptz NOT NULL DEFAULT now()
      )`,
      `CREATE TABLE settings (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        agent_id text,
        user_id text,
        name text NOT NULL,
        value json NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE NULLS NOT DISTINCT (agent_id, user_id, name)
      )`,
      `CREATE TABLE subagent_leases (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        subagent_id text NOT NULL UNIQUE,
        session_id text NOT NULL,
        token bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        holder uuid NOT NULL,
        held_until timestamptz NOT NULL,
        request json NOT NULL,
        settled json,
        created_at timestamptz NOT NULL DEFAULT now()
      )`,
      `CREATE TABLE audit (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
        actor text NOT NULL,
        action text NOT NULL,
        object text NOT NULL,
        details json,
        created_at timestamptz NOT NULL DEFAULT now()
      )`,
      `CREATE TABLE change_counts (
        channel text PRIMARY KEY,
        changes bigint NOT NULL
      )`,
    ],
  },
  {
    name: '002-schedules',
    statements: [
      `CREATE TABLE schedules (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        agent_id text,
        user_id text,
        jobs json NOT NULL DEFAULT '[]',
        runs json NOT NULL DEFAULT '[]',
        due_at timestamptz,
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE NULLS NOT DISTINCT (agent_id, user_id)
      )`,
      'CREATE INDEX schedules_due_at ON schedules (due_at)',
    ],
  },
  {
    name: '003-rate-limits',
    // As rate-limiter-flexible has it, but for the length of keys.
    statements: [
      'CREATE TABLE rate_limits (key text PRIMARY KEY, points integer NOT NULL, expire bigint NOT NULL)',
      'CREATE INDEX rate_limits_expire ON rate_limits (expire)',
    ],
  },
  {
    name: '004-chunked-memory',
    statements: [
      // Which version of a document its chunks were made from. A long line has several chunks.
      'ALTER TABLE memory_documents ADD COLUMN chunked_version uuid',
      'ALTER TABLE memory_chunks DROP CONSTRAINT memory_chunks_document_id_start_line_key',
    ],
  },
];
