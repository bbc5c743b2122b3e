import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import { deriveKey, type KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Bundle, verifyBundle } from '#runtime/receipts/bundle.ts';
import { CALL_PREDICATE } from '#runtime/receipts/statement.ts';
import type { Door } from './doors.ts';

/** Compares calls with receipts, both counted. */

export interface Made {
  n: number;
  door: Door;
  /** Whether an answer came; false where the service was killed meanwhile. */
  answered: boolean;
  /** As the answer names it. */
  receipt_id: string | null;
}

interface KnownTask {
  id: string;
  status: string;
}

interface CountedReceipt {
  id: string;
  status: string;
  reason: string | undefined;
}

interface Counting {
  db: Kysely<Schema>;
  keys: KeyProvider;
  made: readonly Made[];
  reached: ReadonlyMap<number, number>;
  bundleOf(id: string): Promise<Bundle>;
}

/** One line about what was compared. Throws where a call or a receipt is without the other. */
export async function compareReceipts({ db, keys, made, reached, bundleOf }: Counting): Promise<string> {
  const macKey = deriveKey(keys, 'call receipt');
  const byInput = (id: string): Map<string, Made> => {
    const key = createHmac('sha256', macKey).update(id).digest();
    const macOf = ({ door, n }: Made): string =>
      createHmac('sha256', key)
        .update(JSON.stringify(door.args(n)))
        .digest('hex');
    return new Map(made.map((call) => [macOf(call), call]));
  };
  const ofCall = new Map<number, CountedReceipt[]>();
  const ofRun = new Map<string, CountedReceipt>();
  for (const { id } of await db.selectFrom('receipts').select('id').execute()) {
    const verified = verifyBundle(await bundleOf(id));
    assert.ok(verified.consistent, `receipt ${id} does not verify`);
    const { predicateType, predicate } = verified.statement;
    const receipt = { id, status: predicate.status, reason: predicate.reason };
    if (predicateType === CALL_PREDICATE) {
      const call = byInput(id).get(predicate.input.hmac_sha256);
      assert.ok(call !== undefined, `receipt ${id} is of no call that was made`);
      ofCall.set(call.n, [...(ofCall.get(call.n) ?? []), receipt]);
    } else {
      assert.ok(!ofRun.has(predicate.run_id), `two receipts of run ${predicate.run_id}`);
      ofRun.set(predicate.run_id, receipt);
    }
  }
  const tasks = await tasksOf(db);
  const runs = new Set([...tasks.values()].map(({ id }) => id));
  for (const id of ofRun.keys()) assert.ok(runs.has(id), `a receipt of the run ${id}, which was not asked for`);
  for (const call of made) {
    const task = tasks.get(call.n);
    const run = task === undefined ? undefined : ofRun.get(task.id);
    compareCall(call, { reached: reached.get(call.n) ?? 0, receipts: ofCall.get(call.n) ?? [], task, run });
  }
  for (const door of new Set(made.map((call) => call.door))) {
    const of = made.filter((call) => call.door === door);
    const isProven = of.some(({ n }) => ofCall.has(n) || ofRun.has(tasks.get(n)?.id ?? ''));
    assert.ok(isProven, `${door.name}: none of ${of.length} has a receipt`);
  }
  const calls = [...ofCall.values()].flat();
  const counts = Object.entries(Object.groupBy([...calls, ...ofRun.values()], ({ status }) => status));
  const lost = made.filter(({ answered }) => !answered).length;
  const atServer = [...reached.values()].reduce((sum, count) => sum + count, 0);
  return (
    `${made.length} calls (${lost} without an answer), ${atServer} reached the server; ${calls.length} receipts of calls, ` +
    `${ofRun.size} of runs, all verified: ${counts.map(([status, list]) => `${list?.length} ${status}`).join(', ')}`
  );
}

interface Counted {
  /** How often the call reached the server. */
  reached: number;
  receipts: readonly CountedReceipt[];
  task: KnownTask | undefined;
  run: CountedReceipt | undefined;
}

function compareCall(call: Made, counted: Counted): void {
  const { n, door, answered, receipt_id } = call;
  const { reached, receipts, task, run } = counted;
  const said = `${door.name} (${n}): ${JSON.stringify({ answered, receipt_id, reached, receipts, task, run })}`;
  const completed = receipts.filter(({ status }) => status === 'completed').length;
  if (door.receipts !== 'call') {
    // A task that was made and never started has none.
    assert.equal(run === undefined, task === undefined || task.status === 'submitted', `${said}: runs and receipts`);
    if (run === undefined) assert.equal(reached, 0, `${said}: a call without a receipt`);
  }
  if (door.receipts === 'run') {
    assert.equal(receipts.length, 0, said);
    if (run?.status === 'completed') assert.ok(reached > 0, `${said}: a receipt without a call`);
    return;
  }
  if (door.is_counted) {
    assert.ok(reached <= receipts.length, `${said}: a call without a receipt`);
    assert.ok(completed <= reached, `${said}: a receipt without a call`);
  }
  if (door.receipts === 'both') return;
  assert.ok(receipts.length <= 1, `${said}: two receipts of one call`);
  if (!answered) return;
  const [receipt] = receipts;
  assert.ok(receipt !== undefined, `${said}: an answer without a receipt`);
  assert.ok([door.expected, 'interrupted'].includes(receipt.status), `${said}: not ${door.expected}`);
  if (receipt_id !== null) assert.equal(receipt.id, receipt_id, said);
}

/** By the number in their input, or in the arguments in it. */
async function tasksOf(db: Kysely<Schema>): Promise<Map<number, KnownTask>> {
  const rows = await db.selectFrom('tasks').select(['id', 'input', 'status']).execute();
  return new Map(
    rows.map(({ id, input, status }) => {
      const given = JSON.parse(input) as { n?: number; arguments?: { n: number } };
      return [given.n ?? (given.arguments?.n as number), { id, status }];
    }),
  );
}
