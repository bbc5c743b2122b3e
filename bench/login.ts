import { linkEmail } from '#accounts/users/identities.ts';
import { createUser } from '#accounts/users/users.ts';
import { createPasswords } from '#core/crypto/passwords.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { openWorld } from '../test/world.ts';

/**
 * Whether time tells which addresses have an account: failed logins and registrations for known and unknown addresses in
 * random order over the whole app, one at a time. Ratios of medians, beside the ratio of two halves of the known ones,
 * which is what noise alone makes. `node bench/login.ts [rounds]`; goal: within 5 %. Run it on an idle machine.
 */
const ROUNDS = Number(process.argv[2] ?? 400);
const ADDRESSES = 40;
const PLENTY = {
  CAPSTAN_LIMIT_EMAIL: '99999/1m',
  CAPSTAN_LIMIT_FAILED_LOGINS: '99999/1h',
  CAPSTAN_LIMIT_MAILS: '99999/1h',
};

await using world = await openWorld(PLENTY);
const { db } = world.database;
const now = new Date().toISOString();
const password_hash = await createPasswords().hash('correct horse battery', OWN_SHARE);
for (let index = 0; index < ADDRESSES; index++) {
  const { id: user_id } = await createUser(db, '', now);
  await linkEmail(db, {
    email: address('known', index),
    user_id,
    password_hash,
    linked_at: now,
    password_changed_at: now,
  });
}

await measure('a warm-up', 'login', 401, ROUNDS / 10);
const rows = {
  'failed login': await measure('failed login', 'login', 401, ROUNDS),
  registration: await measure('registration', 'register', 202, ROUNDS),
};
console.table(rows);

function address(kind: string, index: number): string {
  return `${kind}-${index}@${kind === 'known' ? 'one' : 'two'}.example.org`;
}

async function measure(name: string, path: string, expected: number, rounds: number) {
  const times: Record<string, number[]> = { known: [], unknown: [] };
  for (let round = 0; round < rounds; round++)
    for (const kind of Math.random() < 0.5 ? ['known', 'unknown'] : ['unknown', 'known']) {
      const body = JSON.stringify({ email: address(kind, round % ADDRESSES), password: 'staple horse battery' });
      const headers = { 'content-type': 'application/json' };
      const before = performance.now();
      const answer = await world.fetch(`/api/auth/email/${path}`, { method: 'POST', headers, body });
      times[kind]?.push(performance.now() - before);
      if (answer.status !== expected) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    }
  const { known = [], unknown = [] } = times;
  const ratio = (a: number[], b: number[]) => Number((median(a) / median(b)).toFixed(3));
  return {
    'known, ms': Number(median(known).toFixed(2)),
    'unknown, ms': Number(median(unknown).toFixed(2)),
    'known to unknown': ratio(known, unknown),
    'noise: known to known': ratio(
      known.filter((_, index) => index % 2 === 0),
      known.filter((_, index) => index % 2 === 1),
    ),
    goal: '0.95 to 1.05',
  };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
