import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { found } from '#test/doctor-stand.ts';
import { CHARGED, STORAGE_KINDS } from './charged.ts';
import { foldDeltas, remeasure, storageCountKinds } from './count.ts';
import { storageCheck } from './storage-check.ts';
import { areStorageTriggersInstalled } from './triggers.ts';
import { measureStorage, readStorage } from './usage.ts';

type Db = TestDatabase['db'];

const TIME = '2027-01-01T00:00:00.000Z';
let made = 0;

async function addUser(db: Db): Promise<string> {
  const id = `u${++made}`;
  const user = { id, display_name: id, tier: 'free', is_operator: 0, created_at: TIME, updated_at: TIME };
  await db.insertInto('users').values(user).execute();
  return id;
}

/** Inserts a row into any table, with its other columns filled in as the schema requires. */
async function put(db: Db, table: string, columns: Record<string, string | number | null>): Promise<void> {
  const names = Object.keys(columns);
  await sql`INSERT INTO ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    VALUES (${sql.join(Object.values(columns))})`.execute(db);
}

const task = (id: string, user_id: string, text: string) => ({
  id,
  user_id,
  title: text,
  capability_kind: 'skill',
  capability_ref: 'x',
  capability_version: '1',
  capability_digest: '',
  execution_class: 'scripted',
  input: text,
  input_files: '[]',
  status: 'submitted',
  created_at: TIME,
});

/** Everything that an account can store, once. */
async function putAll(db: Db, user_id: string, text: string): Promise<void> {
  const n = ++made;
  const at = { created_at: TIME };
  await put(db, 'tasks', task(`t${n}`, user_id, text));
  await put(db, 'task_events', { task_id: `t${n}`, seq: 1, at: TIME, type: 'output', data: text });
  await put(db, 'spans', {
    trace_id: `tr${n}`,
    span_id: 's',
    name: text,
    kind: 'internal',
    started_at: TIME,
    duration_ms: 1,
    status: 'ok',
    attributes: text,
    events: '[]',
    user_id,
  });
  await put(db, 'sealed_traces', { trace_id: `tr${n}`, user_id, sealed_at: TIME });
  await put(db, 'receipts', { id: `r${n}`, run_id: `t${n}`, envelope: text, key_id: 'k', ...at, user_id });
  await put(db, 'owed_receipts', { id: `o${n}`, facts: text, lease_until: TIME, ...at, user_id });
  await put(db, 'run_intents', { run_id: `t${n}`, attempt: 1, envelope: text, digest: 'd', ...at, user_id });
  const conversation = { title: text, state: 'idle', turns: 0, size: 0, ...at, updated_at: TIME };
  await put(db, 'agent_conversations', { id: `c${n}`, user_id, ...conversation });
  await put(db, 'agent_turns', {
    id: `at${n}`,
    conversation_id: `c${n}`,
    seq: 1,
    status: 'done',
    model: 'm',
    input: text,
    message: text,
    messages: text,
    steps: '[]',
    usage: '{}',
    trace_id: 't',
    ...at,
  });
  await put(db, 'connections', {
    id: `x${n}`,
    user_id,
    name: text,
    url: 'https://example.com',
    transport: 'http',
    status: 'ok',
    auth: '{}',
    tools: text,
    ...at,
  });
  const connection_id = `x${n}`;
  await put(db, 'connection_tools', { connection_id, tool: 'a', hash: 'h', definition: text, accepted_at: TIME });
  await put(db, 'connection_secrets', { connection_id, field: 'a', version: 1, sealed: text, updated_at: TIME });
  await put(db, 'connection_grants', {
    connection_id,
    version: 1,
    issuer: 'i',
    resource: 'r',
    scope: text,
    wanted_scope: '',
    discovery: text,
    client_id: 'c',
    refreshed_at: TIME,
  });
  const endpoint_id = `e${n}`;
  await put(db, 'mcp_endpoints', { id: endpoint_id, user_id, name: text, token_hash: endpoint_id, hint: 'h', ...at });
  await put(db, 'mcp_endpoint_connections', { endpoint_id, connection_id, prefix: 'p', tools: text });
  const skill = `clawhub/ana/${n}`;
  await put(db, 'skill_grants', {
    user_id,
    skill,
    environment: text,
    hosts: '[]',
    wanted_hosts: '[]',
    updated_at: TIME,
  });
  await put(db, 'skill_secrets', { user_id, skill, field: 'a', version: 1, sealed: text, updated_at: TIME });
  const harness = { number: n, user_id, name: `h${n}`, description: text, version: 1, digest: 'd' };
  await put(db, 'harnesses', { id: `h${n}`, ...harness, ...at, updated_at: TIME });
  await put(db, 'harness_versions', {
    harness: n,
    version: 1,
    name: 'n',
    description: text,
    digest: 'd',
    note: text,
    files: text,
    bytes: 1,
    ...at,
  });
  const memory = { harness: n, number: 1, path: text, place: text, version: 1, size: 1, ...at, updated_at: TIME };
  await put(db, 'memories', memory);
  await put(db, 'memory_versions', {
    harness: n,
    memory: 1,
    version: 1,
    change: 'made',
    size: 1,
    content: text,
    note: '',
    ...at,
  });
  await put(db, 'memory_words', { harness: n, word: text, memory: 1, weight: 1 });
  await put(db, 'context_blocks', {
    harness: n,
    label: 'l',
    description: text,
    content: text,
    sha256: 's',
    max_characters: 1,
    read_only: 0,
    version: 1,
    updated_at: TIME,
  });
  await put(db, 'rigs', { id: `g${n}`, user_id, name: `g${n}`, version: '1', ...at, updated_at: TIME });
  const version = { version: '1', number: 1, digest: 'd', description: text, yaml: text };
  await put(db, 'rig_versions', { rig_id: `g${n}`, ...version, ...at });
  await put(db, 'rig_locks', { rig_id: `g${n}`, version: '1', digest: 'd', content: text, ...at });
  await put(db, 'idempotency_keys', {
    owner: user_id,
    operation: 'o',
    key: `k${n}`,
    request_hash: 'h',
    holder: 'h',
    sealed_answer: text,
    ...at,
    lease_until: TIME,
    expires_at: TIME,
  });
  await put(db, 'audit_log', {
    seq: n,
    at: TIME,
    actor: user_id,
    action: 'a',
    target: text,
    detail: text,
    outcome: 'done',
    hash: '',
  });
  await db
    .insertInto('publishers')
    .values({ id: `p${user_id}`, user_id, name: user_id, look: user_id, created_at: TIME, closed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await put(db, 'published_listings', {
    id: `l${n}`,
    publisher_id: `p${user_id}`,
    name: `l${n}`,
    look: `l${n}`,
    listing_type: 'skill',
    seq: n,
    status: 'active',
    status_reason: '',
    ...at,
    updated_at: TIME,
  });
  await put(db, 'published_versions', {
    listing_id: `l${n}`,
    version: '1',
    digest: 'd',
    description: text,
    license: 'MIT',
    tags: '[]',
    execution_class: 'scripted',
    findings: '[]',
    files: text,
    bytes: 5_000,
    status: 'active',
    status_reason: '',
    status_at: TIME,
    ...at,
  });
}

/** A text of this many UTF-8 bytes, including multi-byte characters. */
const textOf = (bytes: number): string => 'é'.repeat(Math.floor(bytes / 2)) + 'x'.repeat(bytes % 2);

/** Everything that can change what an account stores, with the kind of statement that the service uses. */
const CHANGES: Record<string, (db: Db, userId: string, bytes: number) => Promise<unknown>> = {
  put: (db, userId, bytes) => putAll(db, userId, textOf(bytes)),
  end_tasks: (db, userId, bytes) =>
    db
      .updateTable('tasks')
      .set({ output: textOf(bytes), status: 'completed' })
      .where('user_id', '=', userId)
      .execute(),
  touch_tasks: (db, userId) => db.updateTable('tasks').set({ attempt: 2 }).where('user_id', '=', userId).execute(),
  read_tools: (db, userId, bytes) =>
    db
      .updateTable('connections')
      .set({ tools: textOf(bytes) })
      .where('user_id', '=', userId)
      .execute(),
  drop_answers: (db, userId) =>
    db.updateTable('idempotency_keys').set({ sealed_answer: null }).where('owner', '=', userId).execute(),
  expire_events: (db) => db.deleteFrom('task_events').where('type', '=', 'output').execute(),
  end_calls: (db, userId, bytes) =>
    db
      .updateTable('owed_receipts')
      .set({ outcome: textOf(bytes) })
      .where('user_id', '=', userId)
      .execute(),
  delete_task: (db, userId) => deleteOne(db, 'tasks', 'id', userId),
  delete_conversation: (db, userId) => deleteOne(db, 'agent_conversations', 'id', userId),
  delete_connection: (db, userId) => deleteOne(db, 'connections', 'id', userId),
  delete_endpoint: (db, userId) => deleteOne(db, 'mcp_endpoints', 'id', userId),
  delete_harness: (db, userId) => deleteOne(db, 'harnesses', 'id', userId),
  delete_memories: (db) => db.deleteFrom('memories').where('number', '=', 1).execute(),
  delete_rig: (db, userId) => deleteOne(db, 'rigs', 'id', userId),
  delete_rig_version: (db) => db.deleteFrom('rig_versions').where('version', '=', '1').execute(),
  expire_spans: (db) => db.deleteFrom('spans').where('started_at', '<=', TIME).execute(),
  expire_audit: (db) =>
    db
      .deleteFrom('audit_log')
      .where('seq', '<=', made - 2)
      .execute(),
};

const deleteOne = (
  db: Db,
  table: 'tasks' | 'agent_conversations' | 'connections' | 'mcp_endpoints' | 'harnesses' | 'rigs',
  id: 'id',
  userId: string,
) =>
  db
    .deleteFrom(table)
    .where(id, '=', (of) => of.selectFrom(table).select('id').where('user_id', '=', userId).limit(1))
    .execute();

eachDatabase('storage accounting', (open, engine) => {
  test("every charged table counts toward its account's usage", async () => {
    const { db } = await open();
    const [ann, ben] = [await addUser(db), await addUser(db)];
    await putAll(db, ann, textOf(1_000));
    const usage = await readStorage(db, ann);
    for (const kind of STORAGE_KINDS) assert.ok(usage[kind] > 1_000, kind);
    assert.deepEqual(usage, await measureStorage(db, ann));
    assert.deepEqual(new Set(Object.values(await readStorage(db, ben))), new Set([0]));
    assert.deepEqual(new Set(CHARGED.map(({ kind }) => kind)), new Set(STORAGE_KINDS));
  });

  test('counters match the stored rows after any writes, deletions and rollbacks', async () => {
    const { db } = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            change: fc.constantFrom(...Object.keys(CHANGES)),
            who: fc.nat(1),
            bytes: fc.integer({ min: 0, max: 9_000 }),
            is_undone: fc.boolean(),
            is_folded: fc.boolean(),
          }),
          { minLength: 4, maxLength: 25 },
        ),
        async (steps) => {
          const users = [await addUser(db), await addUser(db)];
          for (const user of users) await putAll(db, user, textOf(100));
          for (const { change, who, bytes, is_undone, is_folded } of steps) {
            const run = CHANGES[change] as (typeof CHANGES)[string];
            await db
              .transaction()
              .execute(async (trx) => {
                await run(trx, users[who] as string, bytes);
                if (is_undone) throw new Error('undone');
              })
              .catch((error: Error) => assert.equal(error.message, 'undone', error.message));
            if (is_folded && engine === 'postgres') await foldDeltas(db);
          }
          for (const user of users) assert.deepEqual(await readStorage(db, user), await measureStorage(db, user));
        },
      ),
      { numRuns: 15 },
    );
  });

  test('concurrent writes and recounts lose no byte', async () => {
    const { db } = await open();
    const ann = await addUser(db);
    await Promise.all([
      ...Array.from({ length: 40 }, (_, n) => put(db, 'tasks', task(`race${n}`, ann, textOf(n * 10)))),
      ...(engine === 'postgres' ? Array.from({ length: 6 }, () => foldDeltas(db)) : []),
      ...Array.from({ length: 4 }, () => remeasure(db, { user_id: ann, now: TIME })),
    ]);
    if (engine === 'postgres') await foldDeltas(db);
    assert.deepEqual(await readStorage(db, ann), await measureStorage(db, ann));
    assert.ok((await readStorage(db, ann)).tasks > 40 * 1_024);
  });

  test('deleting an account deletes its counters', async () => {
    const { db } = await open();
    const ann = await addUser(db);
    await putAll(db, ann, textOf(500));
    if (engine === 'postgres') await foldDeltas(db);
    await db.deleteFrom('users').where('id', '=', ann).execute();
    if (engine === 'postgres') await foldDeltas(db);
    const left = await db.selectFrom('storage_usage').selectAll().where('user_id', '=', ann).execute();
    assert.deepEqual([left, await db.selectFrom('storage_deltas').selectAll().execute()], [[], []]);
  });

  test('the storage job corrects a wrong counter and reports it', async () => {
    const database = await open();
    const { db } = database;
    const ann = await addUser(db);
    await putAll(db, ann, textOf(500));
    const drifts: number[] = [];
    const clock = { now: () => Date.parse(TIME) };
    const warned: unknown[] = [];
    const kinds = storageCountKinds({
      database,
      clock,
      log: { warn: (fields: unknown) => void warned.push(fields) } as never,
      onDrift: (bytes) => void drifts.push(bytes),
    });
    const run = () =>
      kinds['storage.count']?.handler({
        job: {} as never,
        signal: new AbortController().signal,
        fence: async () => {},
      });
    await run();
    assert.deepEqual(drifts, [], 'the first measuring is no correction');
    assert.match((await found(storageCheck({ db }))).join(), /^ok: .* the counters are correct/);
    await db.updateTable('storage_usage').set({ bytes: 7 }).where('kind', '=', 'rigs').execute();
    assert.match((await found(storageCheck({ db }))).join(), new RegExp(`^warn: .*${ann} by -\\d+ bytes`));
    await db.updateTable('users').set({ storage_measured_at: '2026-12-01T00:00:00.000Z' }).execute();
    await run();
    const { rigs } = await measureStorage(db, ann);
    assert.deepEqual([drifts, warned.length], [[rigs - 7], 1]);
    assert.deepEqual(await readStorage(db, ann), await measureStorage(db, ann));
  });

  test('migrate installs the storage triggers again if their recorded version is missing', async () => {
    const database = await open();
    assert.equal(await areStorageTriggersInstalled(database), true);
    await database.db.deleteFrom('change_counters').where('name', 'like', 'storage_triggers:%').execute();
    assert.equal(await areStorageTriggersInstalled(database), false);
    const { migrate } = await import('#core/db/migrate.ts');
    assert.deepEqual(await migrate(database), []);
    assert.equal(await areStorageTriggersInstalled(database), true);
  });
});
