import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { openKeyRing } from '#accounts/tokens/key-ring.ts';
import { findClient, saveClient } from '#connections/authorization/clients.ts';
import { saveFlow, takeFlow } from '#connections/authorization/flows.ts';
import { handedAnswerContext, handedCalls, handedNextContext } from '#connections/questions/handed-calls.ts';
import { openQuestionDesk, questionContext } from '#connections/questions/question-desk.ts';
import { putSecrets, readSecrets } from '#connections/vault/secrets.ts';
import { systemClock as clock, isoTime } from '#core/clock/clock.ts';
import { rotateSealed, surveySealed, totalByKey } from '#core/crypto/rotate.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import { nameOf } from '#core/crypto/sealed-columns.ts';
import { type KeyProvider, keyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import { json } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import { createLog } from '#core/log.ts';
import { createMailQueue } from '#core/mail/mail-queue.ts';
import { claimKey, findKey, updateKey } from '#core/replays/held-keys.ts';
import { sealReply, unsealAnswer } from '#core/replays/kept-answer.ts';
import { editGrant, putSkillSecrets, readSkillSecrets } from '#runtime/grants/skill-grants.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { openReceiptKey, receiptKeyOf } from '#runtime/tasks/receipt-key.ts';
import type { Task } from '#runtime/tasks/task.ts';
import { insertTask } from '#runtime/tasks/tasks.ts';
import { clientSessions } from '#surfaces/mcp/client-sessions.ts';
import { sessionMail } from '#surfaces/mcp/session-mail.ts';
import { eachDatabase } from '#test/databases.ts';
import { PROGRAM, read } from '#test/house/tree.ts';
import { somewhere } from '#test/vault-stand.ts';
import { SEALED_COLUMNS } from './sealed-columns.ts';

/** Which file encrypts which column. A file that is missing here has a column that key rotation misses. */
const SEALED_BY: Record<string, string | string[]> = {
  'src/accounts/tokens/signing-key.ts': 'signing_keys.sealed_private_key',
  'src/surfaces/mcp/session-mail.ts': 'mcp_session_mail.sealed_message',
  'src/runtime/receipts/receipt-keys.ts': 'signing_keys.sealed_private_key',
  'src/connections/authorization/give-back.ts': 'jobs.payload',
  'src/connections/authorization/clients.ts': 'connection_clients.sealed',
  'src/connections/authorization/flows.ts': 'connection_flows.sealed',
  'src/connections/questions/handed-calls.ts': ['suspended_calls.answer', 'suspended_calls.next'],
  'src/connections/questions/question-desk.ts': 'server_questions.answer',
  'src/connections/vault/secrets.ts': 'connection_secrets.sealed',
  'src/runtime/grants/skill-grants.ts': 'skill_secrets.sealed',
  'src/runtime/tasks/receipt-key.ts': 'tasks.receipt_key',
  'src/core/mail/mail-queue.ts': 'jobs.payload',
  'src/core/replays/kept-answer.ts': 'idempotency_keys.sealed_answer',
};

const listed = SEALED_COLUMNS.map(nameOf);

test('each file that encrypts is listed with its column, and vice versa', () => {
  const sealing = PROGRAM.filter((path) =>
    /import \{[^}]*\bseal\b[^}]*\} from '[^']*crypto\/seal\.ts'/.test(read(path)),
  );
  assert.deepEqual(sealing.sort(), Object.keys(SEALED_BY).sort());
  assert.deepEqual([...new Set(Object.values(SEALED_BY).flat())].sort(), [...listed].sort());
});

/** Its rows live for half an hour, and those of an earlier key are passed over. */
const NOT_ROTATED = ['search_recent.sealed'];

test('every column named sealed is in the list, and every listed one exists with its key', async () => {
  const dir = new URL('../../db/migrations/', import.meta.url);
  const sql = (await Promise.all((await readdir(dir)).map((file) => readFile(new URL(file, dir), 'utf8')))).join('\n');
  const tables = new Map(
    [...sql.matchAll(/CREATE TABLE (\w+) \(\n([\s\S]*?)\n\);/g)].map(([, name = '', body = '']) => [name, body]),
  );
  const columns = [...tables].flatMap(([table, body]) =>
    [...body.matchAll(/^ {2}([a-z_]+) [A-Z]/gm)].map(([, column]) => `${table}.${column}`),
  );
  // `sealed_at` is when a trace was closed to further spans, not an encrypted value.
  const called = columns.filter((column) => /\.(\w+_)?sealed(_(?!at$)\w+)?$/.test(column));
  assert.ok(called.length >= 3);
  assert.deepEqual(
    called.filter((column) => !listed.includes(column)),
    NOT_ROTATED,
  );
  for (const { table, column, key } of SEALED_COLUMNS) {
    assert.ok(columns.includes(`${table}.${column}`), `${table}.${column}`);
    const primary = new RegExp(`^  (PRIMARY KEY \\(${key.join(', ')}\\)|${key[0]} TEXT PRIMARY KEY)`, 'm');
    assert.match(tables.get(table) ?? '', primary);
  }
});

/** How each wing encrypts and decrypts its columns. */
type Use = (keys: KeyProvider) => Promise<unknown>;
type Walk = (database: Database) => Promise<{ write: Use; open: Use }>;

const WALKS: Record<string, Walk> = {
  tokens: async ({ db }) => {
    const ring = (keys: KeyProvider) => openKeyRing({ db, keys, clock, rotation_ms: 86_400_000 }).signing();
    return { write: ring, open: ring };
  },
  receipts: async ({ db }) => {
    const signing = (keys: KeyProvider) => openReceiptKeys({ db, keys, clock }).signing();
    return { write: signing, open: signing };
  },
  secrets: async ({ db }) => {
    const at = await somewhere(db);
    return {
      write: (keys) => putSecrets(db, keys, at, { 'header.x': 'a', 'bearer.token': 'b' }, isoTime(clock.now())),
      open: (keys) => readSecrets(db, keys, at),
    };
  },
  'secrets of skills': async ({ db }) => {
    const { user_id } = await somewhere(db);
    const at = { user_id, skill: 'clawhub/ana/tides' };
    return {
      write: async (keys) => {
        await editGrant(db, at, {}, isoTime(clock.now()));
        await putSkillSecrets(db, keys, at, { TIDES_API_KEY: 'a' }, isoTime(clock.now()));
      },
      open: async (keys) => assert.equal((await readSkillSecrets(db, keys, at)).TIDES_API_KEY, 'a'),
    };
  },
  tasks: async ({ db }) => {
    const task = await newTask(db);
    const find = () => db.selectFrom('tasks').selectAll().where('id', '=', task.id).executeTakeFirstOrThrow();
    return {
      write: (keys) => receiptKeyOf(db, keys, task),
      open: async (keys) => assert.equal(openReceiptKey(keys, await find())?.length, 32),
    };
  },
  flows: async (database) => {
    const { db } = database;
    const flow = { ...(await somewhere(db)), ...FLOW };
    const browserAndState = { state: 's', browser: 'b' };
    return {
      write: (keys) => saveFlow(database, keys, { ...flow, ...browserAndState }, clock.now()),
      open: async (keys) => {
        const taken = await takeFlow(db, keys, { ...browserAndState, now_ms: clock.now() });
        assert.deepEqual([taken.verifier, taken.client], ['v', { client_id: 'c' }]);
      },
    };
  },
  clients: async ({ db }) => {
    const at = { issuer: 'https://issuer.example', redirect_uri: 'https://here.example/back' };
    return {
      write: (keys) => saveClient(db, keys, at, { client_id: 'c' } as never, clock.now()),
      open: async (keys) => assert.equal((await findClient(db, keys, at))?.client.client_id, 'c'),
    };
  },
  letters: async (database) => {
    const { db } = database;
    const sent: unknown[] = [];
    const queueWith = (keys: KeyProvider) =>
      createMailQueue<{ to: string }>({
        kind: 'test.letter',
        jobs: jobTable(database, clock),
        keys,
        clock,
        log: createLog('silent'),
        compose: async ({ to }) => ({ to, subject: '', text: '' }),
        send: async (mail) => void sent.push(mail),
      });
    return {
      write: (keys) => queueWith(keys).post({ to: 'ada@example.org' }, clock.now() + 60_000),
      open: async (keys) => {
        const row = await db.selectFrom('jobs').selectAll().where('kind', '=', 'test.letter').executeTakeFirstOrThrow();
        const job = { ...row, payload: JSON.parse(row.payload) };
        await queueWith(keys).kinds['test.letter']?.handler({ job } as unknown as JobRun);
        assert.deepEqual(sent, [{ to: 'ada@example.org', subject: '', text: '' }]);
      },
    };
  },
  answers: async ({ db }) => {
    const { user_id: owner } = await somewhere(db);
    const place = { owner, operation: 'accounts.apiKeys.create', key: 'a|b' };
    const [now, later] = [isoTime(clock.now()), isoTime(clock.now() + 60_000)];
    return {
      write: async (keys) => {
        const held = { ...place, holder: 'h' };
        await claimKey(db, { ...held, request_hash: '', created_at: now, lease_until: later, expires_at: later });
        const sealed_answer = sealReply(keys, place, { ...json({ a: 1 }), body: '{"a":1}' });
        await updateKey(db, held, { status: 201, sealed_answer });
      },
      open: async (keys) => {
        const found = await findKey(db, place);
        assert.equal(unsealAnswer(keys, place, found?.sealed_answer ?? '').body, '{"a":1}');
      },
    };
  },
  'mail of MCP sessions': async (database) => {
    const sessions = clientSessions({ database, clock, max: 1, idle_ms: 60_000 });
    const session_id = (await sessions.begin({}, { user_id: null, owner: 'a' })) ?? '';
    const place = { session_id, address: 'call a' };
    const mail = (keys: KeyProvider) => sessionMail({ database, clock, keys, sessions });
    const message = { jsonrpc: '2.0', id: 'a', params: {} } as const;
    return {
      write: (keys) => mail(keys).post(place, message),
      open: async (keys) => {
        const came = Promise.withResolvers<unknown>();
        const gone = () => came.reject(new Error('gone'));
        const stop = mail(keys).listen({ session_id, addresses: [place.address], take: came.resolve, gone });
        const alive = setInterval(() => {}, 1_000);
        assert.deepEqual(await came.promise, message);
        clearInterval(alive);
        stop();
      },
    };
  },
  'answers to servers': async (database) => {
    const { db } = database;
    const { user_id } = await somewhere(db);
    const [of, id] = [{ user_id, scope: 'chat' }, newId()];
    const content = { harbour: 'Emden' };
    const sealed = () => db.selectFrom('server_questions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return {
      write: async (keys) => {
        const row = { id, ...of, expires_at: isoTime(clock.now() + 60_000), answer: null };
        await db.insertInto('server_questions').values(row).execute();
        assert.ok(await openQuestionDesk({ database, clock, keys }).answer(of, id, { action: 'accept', content }));
      },
      open: async (keys) => {
        const text = unseal(keys, `${(await sealed()).answer}`, questionContext(id)).toString();
        assert.deepEqual(JSON.parse(text), { action: 'accept', content });
      },
    };
  },
  'calls that wait for a person': async (database) => {
    const { db } = database;
    const [{ user_id }, id] = [await somewhere(db), newId()];
    const [of, asked, done] = [{ user_id, call: '{}' }, { id, number: 1 }, { booked: 'Emden' }];
    const key = `${id}_1`;
    return {
      write: async (keys) => {
        const handed = handedCalls({ database, clock, keys });
        await handed.open(of, asked);
        const answer = seal(keys, JSON.stringify({ action: 'decline' }), handedAnswerContext(key));
        await db.updateTable('suspended_calls').set({ answer }).where('id', '=', key).execute();
        await handed.give(asked, { done });
      },
      open: async (keys) => {
        const { answered } = await handedCalls({ database, clock, keys }).look([asked]);
        assert.deepEqual(answered, [{ ...asked, answer: { action: 'decline' } }]);
        const row = await db.selectFrom('suspended_calls').selectAll().where('id', '=', key).executeTakeFirstOrThrow();
        const next = unseal(keys, `${row.next}`, handedNextContext(key)).toString();
        assert.deepEqual(JSON.parse(next), { state: { done } });
      },
    };
  },
};

const FLOW = {
  return_to: null,
  server_url: 'https://mcp.example/',
  resource: '',
  scope: '',
  verifier: 'v',
  discovery: {} as never,
  client: { client_id: 'c' } as never,
};

async function newTask(db: Kysely<Schema>): Promise<Task> {
  const { user_id } = await somewhere(db);
  const task: Task = {
    id: newId(),
    user_id,
    title: '',
    capability_kind: 'skill',
    capability_ref: 'a',
    capability_version: '1',
    capability_digest: '',
    execution_class: 'scripted',
    input: 'null',
    input_files: '[]',
    status: 'working',
    status_reason: null,
    output: null,
    output_files: null,
    error: null,
    attempt: 1,
    trace_id: null,
    span_id: null,
    trace_parent: null,
    receipt_id: null,
    receipt_key: null,
    quota_day: null,
    created_at: isoTime(clock.now()),
    queued_at: null,
    dispatched_at: null,
    started_at: null,
    finished_at: null,
    cancel_requested_at: null,
    given: null,
    asking: null,
  };
  await insertTask(db, task);
  return task;
}

eachDatabase('all encrypted columns', (open) => {
  test('after a key rotation, all encrypted columns decrypt with the new key alone', async () => {
    const database = await open();
    const { db } = database;
    const [oldKey, newKey] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))];
    const [before, after] = [keyProvider([oldKey]), keyProvider([newKey])];
    const uses = await Promise.all(Object.values(WALKS).map((walk) => walk(database)));
    for (const { write } of uses) await write(before);
    const survey = await surveySealed(db, SEALED_COLUMNS);
    for (const { place, by_key } of survey) assert.ok(by_key.has(before.current_id), `nothing in ${nameOf(place)}`);
    const written = totalByKey(survey).get(before.current_id);
    const done = await rotateSealed(db, keyProvider([newKey, oldKey]), SEALED_COLUMNS, () => {});
    assert.deepEqual(done, { rewrapped: written, overtaken: 0, damaged: [] });
    for (const { open: opens } of uses) await opens(after);
  });
});
