/**
 * Which rows are charged to which account, and how many bytes. Triggers, the recount job and tests are derived from it.
 */

export const STORAGE_KINDS = [
  'tasks',
  'traces',
  'receipts',
  'conversations',
  'connections',
  'memory',
  'rigs',
  'skills',
  'published',
  'idempotency',
  'audit',
] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

export interface Charged {
  kind: StorageKind;
  /** The table. */
  from: string;
  /** SQL of the account id for a row `r`; NULL if it belongs to nobody. */
  owner: string;
  /** An equivalent condition that finds an account's rows by an index; `:user` is its id. Default: `owner = :user`. */
  owned?: string;
  /** Bytes per row in addition to its texts: other columns and index entries. */
  row_bytes: number;
  /** Text columns, counted in UTF-8 bytes. */
  texts: readonly string[];
  /** Columns that contain a number of bytes stored elsewhere. */
  numbers?: readonly string[];
  /**
   * The parent table whose deletion cascades to these rows. Their owner cannot be looked up at that point, so they are
   * subtracted before. `where` joins a row `r` with the row `parent`.
   */
  within?: { parent: string; where: string };
}

const ownerBy = (parent: string, column: string, id = 'id'): string =>
  `(SELECT p.user_id FROM ${parent} p WHERE p.${id} = r.${column})`;

const inHarness = {
  owner: ownerBy('harnesses', 'harness', 'number'),
  owned: 'r.harness IN (SELECT p.number FROM harnesses p WHERE p.user_id = :user)',
  within: { parent: 'harnesses', where: 'r.harness = parent.number' },
};
const inConnection = {
  owner: ownerBy('connections', 'connection_id'),
  owned: 'r.connection_id IN (SELECT p.id FROM connections p WHERE p.user_id = :user)',
  within: { parent: 'connections', where: 'r.connection_id = parent.id' },
};
const inRig = {
  owner: ownerBy('rigs', 'rig_id'),
  owned: 'r.rig_id IN (SELECT p.id FROM rigs p WHERE p.user_id = :user)',
  within: { parent: 'rigs', where: 'r.rig_id = parent.id' },
};

export const CHARGED: readonly Charged[] = [
  {
    kind: 'tasks',
    from: 'tasks',
    owner: 'r.user_id',
    row_bytes: 1_024,
    texts: ['title', 'capability_ref', 'input', 'input_files', 'output', 'output_files', 'error', 'given'],
  },
  {
    kind: 'tasks',
    from: 'task_events',
    owner: ownerBy('tasks', 'task_id'),
    owned: 'r.task_id IN (SELECT p.id FROM tasks p WHERE p.user_id = :user)',
    row_bytes: 160,
    texts: ['data'],
    within: { parent: 'tasks', where: 'r.task_id = parent.id' },
  },
  { kind: 'tasks', from: 'task_shares', owner: 'r.user_id', row_bytes: 512, texts: ['shows'] },
  { kind: 'traces', from: 'spans', owner: 'r.user_id', row_bytes: 384, texts: ['name', 'attributes', 'events'] },
  { kind: 'traces', from: 'sealed_traces', owner: 'r.user_id', row_bytes: 160, texts: ['trace_id'] },
  { kind: 'receipts', from: 'receipts', owner: 'r.user_id', row_bytes: 384, texts: ['envelope'] },
  { kind: 'receipts', from: 'owed_receipts', owner: 'r.user_id', row_bytes: 256, texts: ['facts', 'outcome'] },
  { kind: 'receipts', from: 'run_intents', owner: 'r.user_id', row_bytes: 256, texts: ['envelope'] },
  { kind: 'conversations', from: 'agent_conversations', owner: 'r.user_id', row_bytes: 256, texts: ['title'] },
  {
    kind: 'conversations',
    from: 'agent_turns',
    owner: ownerBy('agent_conversations', 'conversation_id'),
    owned: 'r.conversation_id IN (SELECT p.id FROM agent_conversations p WHERE p.user_id = :user)',
    row_bytes: 384,
    texts: ['input', 'message', 'messages', 'steps', 'usage', 'error'],
    within: { parent: 'agent_conversations', where: 'r.conversation_id = parent.id' },
  },
  {
    kind: 'connections',
    from: 'connections',
    owner: 'r.user_id',
    row_bytes: 384,
    texts: ['name', 'url', 'auth', 'server_info', 'last_error', 'tools', 'package', 'package_hosts', 'package_seen'],
  },
  { kind: 'connections', from: 'connection_tools', ...inConnection, row_bytes: 256, texts: ['tool', 'definition'] },
  { kind: 'connections', from: 'connection_secrets', ...inConnection, row_bytes: 160, texts: ['sealed'] },
  {
    kind: 'connections',
    from: 'connection_grants',
    ...inConnection,
    row_bytes: 256,
    texts: ['scope', 'wanted_scope', 'discovery', 'client_id'],
  },
  { kind: 'connections', from: 'mcp_endpoints', owner: 'r.user_id', row_bytes: 512, texts: ['name'] },
  {
    kind: 'connections',
    from: 'mcp_endpoint_connections',
    owner: ownerBy('mcp_endpoints', 'endpoint_id'),
    owned: 'r.endpoint_id IN (SELECT p.id FROM mcp_endpoints p WHERE p.user_id = :user)',
    row_bytes: 256,
    texts: ['prefix', 'tools'],
    within: { parent: 'mcp_endpoints', where: 'r.endpoint_id = parent.id' },
  },
  {
    kind: 'memory',
    from: 'harness_versions',
    ...inHarness,
    row_bytes: 256,
    texts: ['name', 'description', 'note', 'files'],
  },
  {
    kind: 'memory',
    from: 'memory_versions',
    ...inHarness,
    row_bytes: 256,
    texts: ['content', 'note', 'redacted_reason'],
  },
  { kind: 'memory', from: 'memories', ...inHarness, row_bytes: 384, texts: ['path', 'place'] },
  { kind: 'memory', from: 'memory_words', ...inHarness, row_bytes: 64, texts: ['word'] },
  { kind: 'memory', from: 'context_blocks', ...inHarness, row_bytes: 256, texts: ['description', 'content'] },
  { kind: 'rigs', from: 'rig_versions', ...inRig, row_bytes: 256, texts: ['description', 'yaml'] },
  { kind: 'rigs', from: 'rig_locks', ...inRig, row_bytes: 256, texts: ['content'] },
  {
    kind: 'skills',
    from: 'skill_grants',
    owner: 'r.user_id',
    row_bytes: 256,
    texts: ['environment', 'hosts', 'wanted_hosts'],
  },
  { kind: 'skills', from: 'skill_secrets', owner: 'r.user_id', row_bytes: 256, texts: ['sealed'] },
  { kind: 'skills', from: 'skill_locks', owner: 'r.user_id', row_bytes: 512, texts: ['content'] },
  { kind: 'skills', from: 'published_skill_locks', owner: 'r.user_id', row_bytes: 512, texts: ['content'] },
  {
    kind: 'published',
    from: 'published_versions',
    owner:
      '(SELECT p.user_id FROM published_listings l JOIN publishers p ON p.id = l.publisher_id WHERE l.id = r.listing_id)',
    owned:
      'r.listing_id IN (SELECT l.id FROM published_listings l JOIN publishers p ON p.id = l.publisher_id WHERE p.user_id = :user)',
    row_bytes: 512,
    texts: ['description', 'tags', 'findings', 'claim', 'files', 'status_reason'],
    numbers: ['bytes'],
  },
  {
    kind: 'idempotency',
    from: 'idempotency_keys',
    owner: 'r.owner',
    row_bytes: 384,
    texts: ['operation', 'key', 'sealed_answer'],
  },
  { kind: 'audit', from: 'audit_log', owner: 'r.actor', row_bytes: 384, texts: ['target', 'detail'] },
];

/** SQL of the bytes of a row called `row`. */
export const sizeOf = ({ row_bytes, texts, numbers = [] }: Charged, row: string): string =>
  [
    String(row_bytes),
    ...texts.map((column) => `COALESCE(octet_length(${row}.${column}), 0)`),
    ...numbers.map((column) => `${row}.${column}`),
  ].join(' + ');

/** SQL of the account that a row is charged to. */
export const ownerOf = ({ owner }: Charged, row: string): string => owner.replaceAll(/\br\./g, `${row}.`);
