import { setTimeout as sleep } from 'node:timers/promises';
import { verifyBundle } from '#runtime/receipts/bundle.ts';
import { accountsOf } from '../accounts.ts';
import { openWorld } from '../world.ts';

/**
 * `npm run soak -- clock [rounds]`: the clock jumps forwards and back, by a minute to a year, while tasks run. Each task ends
 * once and well, its receipt verifies, no job stays behind for the length of a jump, and a token that ended in the meantime is
 * refused for as long as the clock says so. Sign-ins that end so may be swept away: their users sign in again.
 */
const [rounds = 12] = process.argv.slice(2).map(Number);
const MINUTE = 60_000;
const JUMPS = [1, 60, 25 * 60, 365 * 24 * 60].map((minutes) => minutes * MINUTE);
const TASKS = 4;
const END_MS = 30_000;

const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
const world = await openWorld({}, 'serve', clock);
const accounts = await accountsOf(world, clock);
let holds = true;
function expect(isSo: boolean, what: string): void {
  if (isSo) return;
  holds = false;
  console.log(`NOT SO: ${what}`);
}

async function asUser(token: string, path: string, init: { method?: string; body?: string } = {}) {
  const answer = await world.fetch(path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { id: string; status: string; receipt_id: string | null },
  };
}

let ended = 0;
let verified = 0;
let slowestMs = 0;
let signedInAgain = 0;
for (let round = 0; round < rounds; round++) {
  const account = await accounts.signUp();
  let { token } = account;
  const body = JSON.stringify({
    capability: { kind: 'skill', ref: 'json-diff' },
    input: { before: '{"a":1}', after: `{"a":${round}}` },
  });
  const ids: string[] = [];
  for (let at = 0; at < TASKS; at++) {
    const { status, body: made } = await asUser(token, '/api/agents/tasks', { method: 'POST', body });
    expect(status === 201, `a task is made: ${status}`);
    ids.push(made.id);
  }
  for (const id of ids) {
    const { status } = await asUser(token, `/api/agents/tasks/${id}/start`, { method: 'POST', body: '{}' });
    expect(status === 200 || status === 202, `a task is started: ${status}`);
  }
  await sleep(150);
  const jump = JUMPS[round % JUMPS.length] as number;
  clock.ahead += jump;
  const { status: later } = await asUser(token, '/api/agents/tasks');
  expect(later === (jump >= 24 * 60 * MINUTE ? 401 : 200), `${jump / MINUTE} minutes later: ${later}`);
  await sleep(1_500);
  clock.ahead -= jump;
  if (later === 401 && (await asUser(token, '/api/agents/tasks')).status === 401) {
    token = (await account.signIn()).access_token;
    signedInAgain++;
  }
  const started = performance.now();
  for (const id of ids) {
    let status = '';
    while (performance.now() - started < END_MS) {
      const { body: task } = await asUser(token, `/api/agents/tasks/${id}`);
      status = task.status;
      if (['completed', 'failed', 'cancelled'].includes(status)) break;
      await sleep(50);
    }
    expect(status === 'completed', `round ${round}: task ${status}`);
    if (status === 'completed') ended++;
    const { body: task } = await asUser(token, `/api/agents/tasks/${id}`);
    const { receipt_id } = task;
    if (receipt_id === null) continue;
    let receipt = await asUser(token, `/api/receipts/${receipt_id}`);
    while (receipt.status !== 200 && performance.now() - started < END_MS) {
      await sleep(100);
      receipt = await asUser(token, `/api/receipts/${receipt_id}`);
    }
    if (verifyBundle(receipt.body as never).consistent) verified++;
  }
  slowestMs = Math.max(slowestMs, performance.now() - started);
}
const late = await world.database.db
  .selectFrom('jobs')
  .select(['kind', 'run_at'])
  .where('run_at', '>', new Date(clock.now() + 30 * 24 * 60 * MINUTE).toISOString())
  .execute();
expect(late.length === 0, `no job waits for a month: ${JSON.stringify(late)}`);
console.log(
  `${rounds} jumps there and back: ${ended} of ${rounds * TASKS} tasks completed, ${verified} receipts verified`,
);
console.log(`${signedInAgain} times a user signed in again`);
console.log(`after a jump back the last task ended within ${slowestMs.toFixed(0)} ms`);
expect(ended === rounds * TASKS && verified === ended, 'every task ends once, with a receipt');
console.log(holds ? 'holds' : 'does not hold');
await world.close();
process.exit(holds ? 0 : 1);
