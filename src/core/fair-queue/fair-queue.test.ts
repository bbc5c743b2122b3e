import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { createFairQueue, type FairQueue, QueueBusy, type Taken } from './fair-queue.ts';
import { identityOf, type Share } from './share.ts';

const user = (id: string): Share => ({ user_id: id, address: '198.51.100.1' });
const fresh = (id: string, address: string): Share => ({ user_id: id, address, is_new: true });
const anonymous = (address: string): Share => ({ user_id: null, address });

const LIMITS = { places: 1, waiting: 1_000, waiting_per_share: 100 };

/** Takes slots under names and records the order in which they were granted. */
function taker(queue: FairQueue) {
  const order: string[] = [];
  const refused: string[] = [];
  const take = (share: Share, name = identityOf(share).key.replace(/^\w+:/, ''), signal?: AbortSignal): void =>
    void queue.take(share, signal).then((how) => void (how === 'taken' ? order : refused).push(name));
  return { order, refused, take };
}

/** Releases one slot after the other until nobody waits. */
async function drain(queue: FairQueue, holder: Share, order: string[], shareOf: (name: string) => Share) {
  queue.giveBack(holder);
  for (let done = 0; ; done++) {
    await nextTurn();
    const name = order[done];
    if (name === undefined) return;
    queue.giveBack(shareOf(name));
  }
}

test('users take turns, no matter how many requests each has queued', async () => {
  const queue = createFairQueue(LIMITS);
  const { order, take } = taker(queue);
  assert.ok(queue.takeNow(user('holder')));
  for (const name of ['a', 'a', 'a', 'b', 'b', 'c']) take(user(name));
  await drain(queue, user('holder'), order, user);
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a']);
});

test('a new user gets the first or second free slot, even if 50 others have a backlog', async () => {
  const queue = createFairQueue({ ...LIMITS, waiting: 10_000 });
  const { order, take } = taker(queue);
  const attackers = Array.from({ length: 50 }, (_, n) => `attacker-${n}`);
  assert.ok(queue.takeNow(user('holder')));
  for (const name of attackers) for (let n = 0; n < 20; n++) take(user(name));
  queue.giveBack(user('holder'));
  // Everyone has had a turn.
  for (let done = 0; done < 60; done++) {
    await nextTurn();
    queue.giveBack(user(order[done] as string));
  }
  await nextTurn();
  const started = order.length;
  take(user('victim'));
  for (let done = started - 1; done < started + 2; done++) {
    queue.giveBack(user(order[done] as string));
    await nextTurn();
  }
  assert.ok(order.slice(started, started + 2).includes('victim'), order.slice(started).join());
});

test('anonymous clients never hold all slots and wait behind users', async () => {
  const queue = createFairQueue({ ...LIMITS, places: 2 });
  const { order, take } = taker(queue);
  for (let n = 0; n < 40; n++) take(anonymous(`203.0.113.${n}`));
  await nextTurn();
  assert.equal(order.length, 1);
  assert.ok(queue.takeNow(user('victim')));
  take(user('victim'));
  await nextTurn();
  queue.giveBack(anonymous(order[0] as string));
  await nextTurn();
  assert.equal(order[1], 'victim');
});

test('new accounts of one network are one share, and new accounts never take the last slot', async () => {
  const queue = createFairQueue({ ...LIMITS, places: 3, held_per_share: 1 });
  assert.ok(queue.takeNow(fresh('a', '203.0.113.1')));
  assert.ok(!queue.takeNow(fresh('b', '203.0.113.1')));
  assert.ok(queue.takeNow(fresh('c', '203.0.113.2')));
  assert.ok(!queue.takeNow(fresh('d', '203.0.113.3')), 'the last place is not for guests');
  assert.ok(queue.takeNow(user('e')));
});

test('clients of one IPv6 /64 network are one share', () => {
  assert.equal(identityOf(anonymous('2001:db8::1')).key, identityOf(anonymous('2001:db8::ffff:2')).key);
  assert.notEqual(identityOf(anonymous('2001:db8::1')).key, identityOf(anonymous('2001:db8:0:1::1')).key);
});

test('anonymous clients and new accounts occasionally get a slot, even if users never stop waiting', async () => {
  const queue = createFairQueue(LIMITS);
  const { order, take } = taker(queue);
  assert.ok(queue.takeNow(user('holder')));
  take(anonymous('203.0.113.1'), 'anonymous');
  take(fresh('n', '203.0.113.9'), 'new');
  for (let n = 0; n < 40; n++) take(user('u'));
  const shareOf = (name: string) =>
    name === 'u' ? user('u') : name === 'new' ? fresh('n', '203.0.113.9') : anonymous('203.0.113.1');
  await drain(queue, user('holder'), order, shareOf);
  assert.ok(order.indexOf('new') > 0 && order.indexOf('new') < 12, order.join());
  assert.ok(order.indexOf('anonymous') > 0 && order.indexOf('anonymous') < 12, order.join());
});

test('a share with too many waiting requests is refused, while others are still accepted', async () => {
  const queue = createFairQueue({ places: 1, waiting: 100, waiting_per_share: 2 });
  const { refused, take } = taker(queue);
  assert.ok(queue.takeNow(user('holder')));
  for (let n = 0; n < 5; n++) take(user('greedy'));
  take(user('modest'));
  await nextTurn();
  assert.deepEqual(refused, ['greedy', 'greedy', 'greedy']);
  assert.deepEqual(queue.counts(), { held: 1, waiting: 3 });
});

test("if the queue is full, the lowest rank's longest backlog loses its newest request", async () => {
  const queue = createFairQueue({ places: 1, waiting: 3, waiting_per_share: 3 });
  const { refused, take } = taker(queue);
  assert.ok(queue.takeNow(user('holder')));
  for (let n = 0; n < 3; n++) take(anonymous('203.0.113.1'), `anonymous ${n}`);
  for (let n = 0; n < 3; n++) {
    await nextTurn();
    take(user('a'), `a ${n}`);
  }
  await nextTurn();
  assert.deepEqual(refused, ['anonymous 2', 'anonymous 1', 'anonymous 0']);
  take(user('b'), 'b 0');
  await nextTurn();
  take(anonymous('203.0.113.1'), 'anonymous 3');
  await nextTurn();
  assert.deepEqual(refused.slice(3), ['a 2', 'anonymous 3']);
});

test('an aborted request leaves the queue', async () => {
  const queue = createFairQueue(LIMITS);
  const leaving = new AbortController();
  assert.ok(queue.takeNow(user('holder')));
  const left = queue.take(user('a'), leaving.signal);
  const stays = queue.take(user('a'));
  leaving.abort();
  assert.equal(await left, 'left');
  assert.deepEqual(queue.counts(), { held: 1, waiting: 1 });
  queue.giveBack(user('holder'));
  assert.equal(await stays, 'taken');
  assert.equal(await queue.take(user('b'), AbortSignal.abort()), 'left');
});

test('run() releases its slot when the work fails', async () => {
  const queue = createFairQueue({ places: 1, waiting: 0, waiting_per_share: 0 });
  await assert.rejects(
    queue.run(user('a'), async () => {
      await assert.rejects(
        queue.run(user('b'), async () => {}),
        QueueBusy,
      );
      throw new Error('the work failed');
    }),
    /the work failed/,
  );
  assert.equal(await queue.run(user('b'), async () => 'done'), 'done');
  assert.deepEqual(queue.counts(), { held: 0, waiting: 0 });
  assert.throws(() => queue.giveBack(user('b')), /has no slot/);
});

type Step = { act: 'take' | 'leave' | 'back'; who: number };

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('take', 'take', 'take', 'leave', 'back', 'back'),
  who: fc.nat({ max: 8 }),
});

const who = (n: number): Share =>
  n < 3 ? user(`${n}`) : n < 6 ? fresh(`${n}`, `203.0.113.${n % 2}`) : anonymous(`2001:db8:${n}::1`);

test('any sequence of requests respects the limits, loses none, and leaves no usable slot free', async () => {
  const limits = fc.record({
    places: fc.integer({ min: 1, max: 4 }),
    waiting: fc.integer({ min: 0, max: 8 }),
    waiting_per_share: fc.integer({ min: 0, max: 4 }),
    held_per_share: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(limits, fc.array(step, { maxLength: 80 }), async (options, steps) => {
      const queue = createFairQueue(options);
      const holding: Share[] = [];
      const waiting: { share: Share; leave: AbortController }[] = [];
      const settled = (share: Share, entry: (typeof waiting)[number]) => (how: Taken) => {
        waiting.splice(waiting.indexOf(entry), 1);
        if (how === 'taken') holding.push(share);
      };
      for (const { act, who: n } of steps) {
        if (act === 'take') {
          const share = who(n);
          const entry = { share, leave: new AbortController() };
          waiting.push(entry);
          void queue.take(share, entry.leave.signal).then(settled(share, entry));
        } else if (act === 'leave') waiting[n % Math.max(1, waiting.length)]?.leave.abort();
        else {
          const [share] = holding.splice(n % Math.max(1, holding.length), 1);
          if (share !== undefined) queue.giveBack(share);
        }
        await nextTurn();
        assert.deepEqual(queue.counts(), { held: holding.length, waiting: waiting.length });
        checkCaps(options, holding, waiting);
      }
      for (const { leave } of [...waiting]) leave.abort();
      await nextTurn();
      for (const share of holding) queue.giveBack(share);
      assert.deepEqual(queue.counts(), { held: 0, waiting: 0 });
    }),
  );
});

function checkCaps(
  options: { places: number; waiting: number; waiting_per_share: number; held_per_share: number },
  holding: Share[],
  waiting: { share: Share }[],
): void {
  const held = Map.groupBy(holding, (share) => identityOf(share).key);
  const lines = Map.groupBy(waiting, ({ share }) => identityOf(share).key);
  const guests = holding.filter((share) => identityOf(share).rank !== 'user').length;
  const guestPlaces = Math.max(1, options.places - 1);
  assert.ok(holding.length <= options.places && waiting.length <= options.waiting);
  assert.ok(guests <= guestPlaces);
  for (const list of held.values()) assert.ok(list.length <= options.held_per_share);
  for (const list of lines.values()) assert.ok(list.length <= options.waiting_per_share);
  for (const { share } of waiting) {
    const { key, rank } = identityOf(share);
    const couldStart =
      holding.length < options.places &&
      (held.get(key)?.length ?? 0) < options.held_per_share &&
      (rank === 'user' || guests < guestPlaces);
    assert.ok(!couldStart, `${key} waits beside a free place`);
  }
}

test('no share starts more than one request ahead of another that is still waiting', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 5 }), { minLength: 10, maxLength: 60 }), async (requests) => {
      const queue = createFairQueue({ ...LIMITS, waiting: 1_000 });
      const { order, take } = taker(queue);
      assert.ok(queue.takeNow(user('holder')));
      for (const n of requests) take(user(`${n}`));
      await drain(queue, user('holder'), order, user);
      const left = Map.groupBy(requests, String);
      const counts = new Map([...left].map(([name, list]) => [name, list.length]));
      const served = new Map<string, number>();
      for (const name of order) {
        const own = served.get(name) ?? 0;
        for (const [other, total] of counts) {
          const has = served.get(other) ?? 0;
          if (has < total) assert.ok(own <= has + 1, `${name} starts ${own + 1} times while ${other} started ${has}`);
        }
        served.set(name, own + 1);
      }
      assert.equal(order.length, requests.length);
    }),
  );
});
