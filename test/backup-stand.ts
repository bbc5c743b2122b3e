import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Kysely } from 'kysely';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { type KeyWish, makeBackup } from '#app/backup/make-backup.ts';
import { type RestoreOptions, restoreBackup } from '#app/backup/restore.ts';
import { SEALED_COLUMNS } from '#app/sealed-columns.ts';
import { lazySeq } from '#catalog/changes/changes.ts';
import { databaseIdentity } from '#catalog/changes/database-identity.ts';
import { saveListings } from '#catalog/items/items.ts';
import { putSecrets, readSecrets, type SecretsPlace } from '#connections/vault/secrets.ts';
import { systemClock } from '#core/clock/clock.ts';
import { type KeyProvider, parseSecretKeys } from '#core/crypto/secret-keys.ts';
import { type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { verifyBundle } from '#runtime/receipts/bundle.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { openReceipts } from '#runtime/receipts/receipts.ts';
import { postgresConfig, sqliteConfig, type TestDatabase } from './databases.ts';
import { listing } from './listings.ts';
import { issueReceipts } from './receipt-stand.ts';
import { somewhere } from './vault-stand.ts';

/** A service's data, and machines to restore it on. */

const NOW = '2026-03-01T00:00:00.000Z';
export const PASSPHRASE = 'correct horse battery';
const BUNDLE = `bundles/${'ab'.repeat(32)}.json`;
const README = `details/cd/${'cd'.repeat(32)}`;

const cleanups: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

export async function freshDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-backup-'));
  cleanups.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export const secretText = (): string => randomBytes(32).toString('base64');

function receiptsOver(db: Kysely<Schema>, keys: KeyProvider) {
  const ground = { db, keys, clock: systemClock };
  return openReceipts({ ...ground, receipt_keys: openReceiptKeys(ground), origin: 'a.example/receipts' });
}

/** What a service has after a while: secrets, receipts in the log and not yet, listings, a file, leases, a session. */
export async function fill({ db, engine, config }: TestDatabase, { receipts: count = 5, listings: many = 40 } = {}) {
  const data_dir = await freshDir();
  const secret = secretText();
  const keys = parseSecretKeys(secret);
  const place = await somewhere(db);
  await putSecrets(db, keys, place, { 'bearer.token': 'a token of theirs' }, NOW);
  await createApiKey(db, { user_id: place.user_id, name: 'key', scopes: ['read'], expires_at: null }, NOW);
  const receipts = receiptsOver(db, keys);
  const receipt_ids = await issueReceipts({ database: { db } as never, receipts }, count);
  await receipts.log();
  receipt_ids.push(...(await issueReceipts({ database: { db } as never, receipts }, 1)));
  const texts = ['\u2028 line', 'tab\t"quoted" \\u0000', '😀', 'x'.repeat(70_000)];
  const listings = Array.from({ length: many }, (_, n) =>
    listing('glama', `l${n}`, { description: `${texts[n] ?? n}` }),
  );
  await db.transaction().execute(async (trx) => {
    await saveListings(trx, 'glama', listings, { run: 'r', now: NOW, seq: lazySeq(trx) });
    await trx
      .insertInto('capability_scores')
      .values({
        id: 'c',
        level: 'ran',
        level_subject: 's',
        reached_at: null,
        expires_at: null,
        hot_score: 0.1 + 0.2,
        runs: 1,
        success_rate: 1,
        callers: 1,
        trend: '[]',
        log_size: 2 ** 40,
        computed_at: NOW,
      })
      .execute();
    await trx.insertInto('sign_ins').values(signInOf(place.user_id)).execute();
  });
  await databaseIdentity(db);
  const jobs = jobTable({ db, engine } as TestDatabase, systemClock);
  await jobs.put({ kind: 'a.job', key: 'all' });
  await jobs.claim(['a.job'], 'a worker that is gone', 3_600_000);
  await mkdir(join(data_dir, 'bundles'));
  await writeFile(join(data_dir, BUNDLE), randomBytes(300_000));
  await mkdir(join(data_dir, 'details/cd'), { recursive: true });
  await writeFile(join(data_dir, README), '# Tides');
  return { db, config, data_dir, secret, keys, place, receipt_ids, receipts };
}

const signInOf = (user_id: string) => ({
  id: 'si',
  user_id,
  method: 'email',
  wallet: null,
  user_agent: 'test',
  signed_in_at: NOW,
  refreshed_at: NOW,
  expires_at: '2126-03-01T00:00:00.000Z',
  current_jti: 'j',
  previous_jti: null,
  previous_until: null,
  revoked_at: null,
});

type Filled = Awaited<ReturnType<typeof fill>>;

const ground = { places: SEALED_COLUMNS, clock: systemClock };

export const backUp = (
  { config, data_dir, secret }: Pick<Filled, 'config' | 'data_dir' | 'secret'>,
  path: string,
  key_wish: KeyWish = { kept: 'sealed', passphrase: PASSPHRASE },
) =>
  makeBackup(path, {
    ...ground,
    database_config: config,
    key_wish,
    program_version: '0.0.0',
    key_source: { written: secret, may_make: true, data_dir },
  });

/** Another machine, with nothing on it. */
export async function machine(engine: 'sqlite' | 'postgres') {
  const { config, drop } = await (engine === 'sqlite' ? sqliteConfig : postgresConfig)();
  cleanups.push(drop);
  return { config: config as DatabaseConfig, data_dir: await freshDir(), secret: null as string | null };
}

type Machine = Awaited<ReturnType<typeof machine>>;

export const restoreOn = ({ config, data_dir, secret }: Machine, path: string, more: Partial<RestoreOptions> = {}) =>
  restoreBackup(path, {
    ...ground,
    database_config: config,
    passphrase: null,
    key_to: null,
    keep_sign_ins: false,
    key_source: { written: secret, may_make: true, data_dir },
    ...more,
  });

export async function openOn({ config }: Machine) {
  const database = await openDatabase(config);
  cleanups.push(() => database.close());
  return database;
}

/** The secret of a connection, and whether every receipt verifies: with these keys, on that machine. */
export async function whatOpens(db: Kysely<Schema>, keys: KeyProvider, place: SecretsPlace, receipt_ids: string[]) {
  const receipts = receiptsOver(db, keys);
  const bundles = await Promise.all(receipt_ids.map(async (id) => verifyBundle(await receipts.bundle(id)).consistent));
  return { token: (await readSecrets(db, keys, place)).values['bearer.token'], receipts: bundles.every(Boolean) };
}
