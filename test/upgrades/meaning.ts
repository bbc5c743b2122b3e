import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApp } from '#app/app.ts';
import { SEALED_COLUMNS } from '#app/sealed-columns.ts';
import { SETTINGS } from '#app/settings.ts';
import { readConfig } from '#core/config/config.ts';
import { unseal } from '#core/crypto/seal.ts';
import { readNotSealedBy, sealedTextOf } from '#core/crypto/sealed-columns.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import type { Database, DatabaseConfig } from '#core/db/open.ts';
import { createLog } from '#core/log.ts';
import { type Capstan, createCapstan, verifyBundle } from '../../sdk/src/index.ts';
import { ADA, BOB, CREDENTIAL, OPERATOR, PUBLIC_URL, SECRET_KEY } from './people.ts';
import { type Row, rowsOf } from './stored-database.ts';

/** What an upgraded database still means to this program: its people get in, their things are theirs, its proofs hold. */

/** `version` is the schema that the database had. */
export async function checkMeaning(database: DatabaseConfig, version: number): Promise<void> {
  const { engine } = database;
  const dataDir = engine === 'sqlite' ? dirname(database.path) : await mkdtemp(join(tmpdir(), 'capstan-upgraded-'));
  const env = { DATA_DIR: dataDir, CAPSTAN_PROVIDERS: 'off', PUBLIC_URL, CAPSTAN_SECRET_KEY: SECRET_KEY };
  const config = readConfig(SETTINGS, engine === 'sqlite' ? env : { ...env, DATABASE_URL: database.url });
  const app = await createApp({ config, log: createLog('silent'), role: 'quiet' });
  const ask = (url: string, init: { method: string; headers: Record<string, string>; body?: string }) =>
    app.fetch(url.slice(PUBLIC_URL.length), init);
  const client = (signer?: typeof ADA) => createCapstan({ base_url: PUBLIC_URL, fetch: ask, signer, retries: 0 });
  const rows = (table: string) => rowsOf(app.database, table);
  try {
    await app.catalog.ready;
    await listings(client(), rows);
    if (version >= 6) {
      const ada = client(ADA);
      const { user } = await ada.signInWithWallet();
      assert.equal(user.display_name, 'Ada');
      const bob = await client().signInWithEmail(BOB);
      assert.notEqual(bob.user.id, user.id);
      await secrets(app.database, dataDir);
      await runs(ada, await rows('tasks'));
      if (version >= 15) await own(ada, rows);
    }
    if (version >= 18) await moderated(client(OPERATOR), rows);
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true });
  }
}

type Rows = (table: string) => Promise<Row[]>;

async function listings({ items: catalog }: Capstan, rows: Rows): Promise<void> {
  const stored = await rows('listings');
  const isGone = (row: Row) => row.removed_at !== null || row.taken_down !== null;
  const live = stored.filter((row) => !isGone(row));
  const { total_count, items } = await catalog.list({ limit: 200 });
  assert.equal(total_count, live.length);
  const ids = (of: { external_id?: unknown }[]) => of.map((entry) => entry.external_id).sort();
  assert.deepEqual(ids(items), ids(live));
  const { provider_id, external_id } = stored.find(isGone) as Row;
  const of = { provider: provider_id, id: external_id } as Parameters<typeof catalog.get>[0];
  await assert.rejects(catalog.get(of), { status: 410 });
}

/** Each opens with the key of then, and the credential is the one that was stored. */
async function secrets({ db }: Database, data_dir: string): Promise<void> {
  const keys = await openSecretKeys({ written: SECRET_KEY, may_make: false, data_dir });
  const opened: string[] = [];
  for (const place of SEALED_COLUMNS)
    for (const row of await readNotSealedBy(db, place, '', null, 1_000))
      opened.push(`${place.table} ${unseal(keys, sealedTextOf(place, row), row.context)}`);
  assert.ok(opened.some((text) => text.startsWith('connection_secrets ') && text.includes(CREDENTIAL)));
  assert.ok(['signing_keys', 'tasks'].every((table) => opened.some((text) => text.startsWith(`${table} `))));
}

async function runs(ada: Capstan, stored: Row[]): Promise<void> {
  const { items } = await ada.tasks.list();
  assert.deepEqual(
    items.map((task) => `${task.id} ${task.status}`).sort(),
    stored.map((row) => `${row.id} ${row.status}`).sort(),
  );
  const proved = items.flatMap(({ receipt_id }) => receipt_id ?? []);
  assert.ok(proved.length >= 3);
  for (const id of proved) {
    const { verdict, detail } = await verifyBundle(await ada.receipts.get({ id }), { issuer: ada });
    assert.equal(verdict, 'valid', detail);
  }
  const done = items.find((task) => task.status === 'completed' && task.capability.ref === 'json-diff');
  const trace = await ada.tasks.getTrace({ id: done?.id as string });
  assert.ok(JSON.stringify(trace).includes('json-diff'));
}

/** What she has made. */
async function own(ada: Capstan, rows: Rows): Promise<void> {
  const [harness] = (await ada.harnesses.list()).items;
  const memory = await ada.memory.get({ id: harness?.id as string, path: 'style/tense.md' });
  assert.match(JSON.stringify(memory), /Write in the present tense/);
  const [rig] = (await ada.rigs.list()).items;
  assert.equal((await ada.rigs.get({ id: rig?.id as string })).name, 'compare-configs');
  const [published] = (await rows('published_listings')).filter((row) => row.name === 'count-words');
  assert.equal((await ada.listings.get({ id: published?.id as string })).name, 'ada-lang/count-words');
  const conversations = await ada.conversations.list();
  assert.equal(conversations.items.length, (await rows('agent_conversations')).length);
}

async function moderated(operator: Capstan, rows: Rows): Promise<void> {
  const [down] = (await rows('published_listings')).filter((row) => row.taken_down !== null);
  await assert.rejects(operator.listings.get({ id: down?.id as string }), { status: 410 });
  await operator.signInWithWallet();
  assert.equal((await operator.moderation.listAppeals({})).items.length, 1);
}
