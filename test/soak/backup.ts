import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lazySeq } from '#catalog/changes/changes.ts';
import { saveListings } from '#catalog/items/items.ts';
import { parseSecretKeys } from '#core/crypto/secret-keys.ts';
import { migrate } from '#core/db/migrate.ts';
import { type Database, type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { openReceipts } from '#runtime/receipts/receipts.ts';
import { freshDir, secretText } from '../backup-stand.ts';
import { listing } from '../listings.ts';
import { onServer } from '../migrated.ts';
import { startPostgres } from '../postgres.ts';
import { capstand } from '../process/capstand.ts';
import { issueReceipts } from '../receipt-stand.ts';

/**
 * `npm run soak -- backup [listings] [receipts] [kills]`: a large service backed up while it is written to, and restored
 * into each engine; then killed in the middle of both, and out of room. Says times, peak memory and what writers noticed.
 */
const [listings = 100_000, receipts = 100_000, kills = 4] = process.argv.slice(2).map(Number);
const A_TRANSACTION = 2_000;
const MB = 2 ** 20;

const postgres = await startPostgres();
const secret = secretText();

interface Place {
  engine: 'sqlite' | 'postgres';
  config: DatabaseConfig;
  env: Record<string, string>;
}

async function place(engine: Place['engine']): Promise<Place> {
  const DATA_DIR = await freshDir();
  const env = { DATA_DIR, CAPSTAN_SECRET_KEY: secret };
  if (engine === 'sqlite')
    return { engine, config: { engine, path: join(DATA_DIR, 'capstan.db'), thread: 'own' }, env };
  const name = `soak_${Math.random().toString(36).slice(2)}`;
  await onServer(postgres.url, `CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
  return { engine, config: { engine, url, pool_size: 4 }, env: { ...env, DATABASE_URL: url } };
}

async function fill(database: Database): Promise<void> {
  await migrate(database);
  const { db } = database;
  const now = new Date().toISOString();
  for (let from = 0; from < listings; from += A_TRANSACTION)
    await db.transaction().execute(async (trx) => {
      const some = Array.from({ length: Math.min(A_TRANSACTION, listings - from) }, (_, n) =>
        listing('glama', `owner/thing-${from + n}`, { description: `${from + n} does this and that. `.repeat(16) }),
      );
      await saveListings(trx, 'glama', some, { run: 'r', now, seq: lazySeq(trx) });
    });
  const keys = parseSecretKeys(secret);
  // At one time, so that the key is not read again within a transaction.
  const clock = { now: () => Date.parse(now) };
  const receipt_keys = openReceiptKeys({ db, keys, clock });
  await receipt_keys.signing();
  const over = (store: typeof db) => openReceipts({ db: store, keys, clock, receipt_keys, origin: 'soak/receipts' });
  for (let from = 0; from < receipts; from += A_TRANSACTION)
    await db.transaction().execute(async (trx) => {
      const count = Math.min(A_TRANSACTION, receipts - from);
      await issueReceipts({ database: { db: trx } as never, receipts: over(trx) }, count);
    });
  while ((await over(db).log()) > 0);
}

/** Runs one command in a separate process. The kernel reports the peak memory. */
async function run(args: string[], env: Record<string, string>) {
  const begun = performance.now();
  const { child, ended } = capstand(args, env);
  let peakKib = 0;
  const look = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peakKib = Math.max(peakKib, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 20);
  const { code, stdout, stderr } = await ended;
  clearInterval(look);
  return { code, stdout, stderr, s: (performance.now() - begun) / 1_000, peak_mb: peakKib / 1_024 };
}

const told = ({ s, peak_mb }: { s: number; peak_mb: number }): string =>
  `${s.toFixed(1)} s, peak ${peak_mb.toFixed(0)} MB`;

function must(holds: boolean, what: string): void {
  if (holds) return;
  process.exitCode = 1;
  process.stdout.write(`FAILED: ${what}\n`);
}

/** Small transactions, one after the other, until told to stop; answers how long each took. */
function startWriting({ db }: Database) {
  let over = false;
  const times: number[] = [];
  const work = async () => {
    for (let n = 0; !over; n++) {
      const begun = performance.now();
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('rejected_records')
          .values({
            provider_id: 'p',
            record_key: `${n}`,
            external_id: null,
            reason: 'r',
            raw: '{}',
            run_id: 'r',
            rejected_at: '',
          })
          .onConflict((conflict) => conflict.columns(['provider_id', 'record_key']).doUpdateSet({ run_id: `${n}` }))
          .execute();
      });
      times.push(performance.now() - begun);
      await sleep(2);
    }
  };
  const done = work();
  return async () => {
    over = true;
    await done;
    times.sort((a, b) => a - b);
    const at = (part: number) => (times[Math.floor(part * times.length)] ?? 0).toFixed(1);
    return `${times.length} writes, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${(times.at(-1) ?? 0).toFixed(0)} ms`;
  };
}

async function soak(engine: Place['engine']): Promise<string> {
  const source = await place(engine);
  const database = await openDatabase(source.config);
  await fill(database);
  const file = join(await freshDir(), 'a.backup');
  const quiet = startWriting(database);
  await sleep(3_000);
  process.stdout.write(`${engine}: ${listings} listings, ${receipts} receipts\n  writing alone: ${await quiet()}\n`);
  const loaded = startWriting(database);
  const made = await run(['backup', file, '--without-keys'], source.env);
  process.stdout.write(`  writing meanwhile: ${await loaded()}\n`);
  must(made.code === 0, made.stderr);
  process.stdout.write(`  backup: ${told(made)}, ${(statSync(file).size / MB).toFixed(1)} MB\n`);
  const killed = await killRuns(['backup', file, '--without-keys'], source.env, made.s, async () =>
    must((await run(['restore', '--check', file], source.env)).code === 0, 'a killed backup left its place as it was'),
  );
  process.stdout.write(`  backup killed ${killed} times: the former one was whole each time\n`);
  await fillUp(source, statSync(file).size);
  await database.close();
  return file;
}

/** Kills as many runs somewhere in their middle; a run takes `s` seconds. Answers how many, up to one that was over before. */
async function killRuns(args: string[], env: Record<string, string>, s: number, check: () => Promise<void>) {
  let killed = 0;
  for (let n = 0; n < kills; n++) {
    const { child, ended } = capstand(args, env);
    await sleep(1_000 * s * (0.2 + 0.6 * Math.random()));
    child.kill('SIGKILL');
    if ((await ended).signal !== 'SIGKILL') break;
    killed++;
    await check();
  }
  return killed;
}

/** On a disk of half its size, where this user may make one. */
async function fillUp({ env }: Place, bytes: number): Promise<void> {
  const dir = await freshDir();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes >> 1}`, 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    process.stdout.write('  a full disk: not tried, because this user may not make a small one\n');
    return;
  }
  try {
    const { code, stderr } = await run(['backup', join(dir, 'a.backup'), '--without-keys'], env);
    const left = execFileSync('ls', ['-A', dir], { encoding: 'utf8' });
    must(code === 1 && /disk is full/.test(stderr) && left === '', `a full disk: ${code} ${stderr} ${left}`);
    process.stdout.write(`  a full disk: ${stderr}`);
  } finally {
    execFileSync('umount', [dir]);
  }
}

async function restoreInto(engine: Place['engine'], file: string, from: string): Promise<void> {
  const first = await place(engine);
  const restored = await run(['restore', file], first.env);
  must(restored.code === 0, restored.stderr);
  must((await run(['restore', file], first.env)).code === 1, 'a filled database is refused');
  const second = await place(engine);
  const killed = await killRuns(['restore', file], second.env, restored.s, async () => {
    if (second.config.engine === 'sqlite') must(!existsSync(second.config.path), 'a killed restore left no database');
  });
  const again = await run(['restore', file], second.env);
  must(again.code === (killed === kills ? 0 : 1), again.stderr);
  await serves(second);
  process.stdout.write(`${from} to ${engine}: ${told(restored)}; killed ${killed} times, and then ${told(again)}\n`);
}

/** What was restored is served: the index is rebuilt from all of it. */
async function serves({ env }: Place): Promise<void> {
  const { child, ended, url } = capstand(['serve'], env);
  const at = `${await url()}/api/marketplace/registry?limit=1`;
  let count = 0;
  for (let tries = 0; tries < 120 && count !== listings; tries++) {
    await sleep(500);
    count = ((await (await fetch(at)).json()) as { total_count?: number }).total_count ?? 0;
  }
  must(count === listings, `it serves ${count} listings`);
  child.kill('SIGTERM');
  await ended;
}

for (const from of ['sqlite', 'postgres'] as const) {
  const file = await soak(from);
  for (const to of ['sqlite', 'postgres'] as const) await restoreInto(to, file, from);
  await rm(file);
}
await postgres.stop();
