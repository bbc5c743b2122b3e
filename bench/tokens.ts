import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeyRing } from '#accounts/tokens/key-ring.ts';
import { createTokens } from '#accounts/tokens/tokens.ts';
import { systemClock } from '#core/clock/clock.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';

/** Making and checking access tokens, one after the other; the keys are in memory, so no database is read. */
const WARM_UP = 2_000;
const CALLS = 10_000;
const GOAL_MS = 0.3;

const data_dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const database = await openDatabase({ engine: 'sqlite', path: join(data_dir, 'capstan.db'), thread: 'own' });
await migrate(database);
const keys = await openSecretKeys({ written: randomBytes(32).toString('base64'), may_make: false, data_dir });
const ring = openKeyRing({ db: database.db, keys, clock: systemClock, rotation_ms: 90 * 86_400_000 });
const tokens = createTokens({ ring, clock: systemClock, base_url: 'https://capstan.example' });

const nowS = Math.floor(Date.now() / 1_000);
const sign = () =>
  tokens.sign({
    sub: 'user',
    jti: 'token',
    sid: 'session',
    scope: 'read write',
    tier: 'free',
    auth_time: nowS,
    amr: ['pwd'],
    not_after: nowS + 86_400,
  });
const { token } = await sign();
const forged = `${token.slice(0, -20)}${'A'.repeat(20)}`;

const rows = {
  'make a token': await measure(sign),
  'check a good token': await measure(() => tokens.verify(token)),
  'refuse a forged one': await measure(() => tokens.verify(forged)),
};
console.table(rows);
const takenMs = rows['check a good token']['ms (median)'];
console.log(`goal: check a token within ${GOAL_MS} ms: ${takenMs <= GOAL_MS ? 'met' : 'missed'}`);
await database.close();
await rm(data_dir, { recursive: true, force: true });
if (takenMs > GOAL_MS) process.exitCode = 1;

async function measure(call: () => Promise<unknown>): Promise<Record<'ms (median)' | 'ms (p99)', number>> {
  for (let round = 0; round < WARM_UP; round++) await call();
  const times: number[] = [];
  for (let round = 0; round < CALLS; round++) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] as number).toFixed(3));
  return { 'ms (median)': at(0.5), 'ms (p99)': at(0.99) };
}
