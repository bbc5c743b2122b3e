import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { openFairPlaces } from '#core/fair-queue/fair-places.ts';
import { userShare } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import { firstThread } from './first.ts';
import { furtherThread } from './further.ts';
import { openKeyedSemaphore } from './keyed-semaphore.ts';

/** Two sides of a real channel. Being in one thread does not change what is transferred. */
const { port1, port2 } = new MessageChannel();
const first = firstThread(2);
const line = first.admit(2, port1);
const further = furtherThread({ count: 2, number: 2, port: port2 });
after(() => line.close());

const neverHere = async (): Promise<never> => assert.fail('only the first thread does this');

test('inFirst() runs a call of any thread in the first one and returns its result, Problem or error', async () => {
  const add = async (a: number, b: number): Promise<number> => a + b;
  const adders = [first.inFirst('add', add), further.inFirst<[number, number], number>('add', neverHere)];
  assert.deepEqual(await Promise.all(adders.map((adder) => adder(2, 3))), [5, 5]);
  const extensions = { tombstone: { id: 7 } };
  first.inFirst('refuse', async () => {
    throw new Problem('gone', 'docs.gone', 'It is gone.', { headers: { 'retry-after': '5' }, extensions });
  });
  await assert.rejects(further.inFirst('refuse', neverHere)(), (error: Problem) => {
    assert.ok(error instanceof Problem);
    const { status, code, message, headers } = error;
    assert.deepEqual([status, code, message, headers], [410, 'docs.gone', 'It is gone.', { 'retry-after': '5' }]);
    assert.deepEqual(error.extensions, extensions);
    return true;
  });
  first.inFirst('stumble', async () => {
    throw new TypeError('a bug');
  });
  await assert.rejects(further.inFirst('stumble', neverHere)(), { name: 'TypeError', message: 'a bug' });
});

test('inFirst() forwards an abort signal', async () => {
  first.inFirst('wait', async (signal: AbortSignal) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    return 'ended';
  });
  const stop = new AbortController();
  const waiting = further.inFirst<[AbortSignal], string>('wait', neverHere)(stop.signal);
  stop.abort();
  assert.equal(await waiting, 'ended');
});

test("inEach() runs immediately in this thread, then in the others, and returns this thread's result first", async () => {
  const heard: string[] = [];
  const act = (who: string) => async (word: string) => {
    heard.push(`${who} ${word}`);
    return who;
  };
  const [inFirst, inFurther] = [first.inEach('hear', act('first')), further.inEach('hear', act('further'))];
  const told = inFurther('a');
  assert.deepEqual(heard, ['further a']);
  assert.deepEqual(await told, ['further', 'first']);
  assert.deepEqual(await inFirst('b'), ['first', 'further']);
  assert.deepEqual(await first.inEach('not there yet', act('first'))('c'), ['first']);
});

test('share() gives readers each state once, and catchUp() the newest without waiting for the event loop', async () => {
  const seen: Record<string, number[]> = { first: [], further: [] };
  const { give } = first.share<{ numbers: Int32Array }>('numbers', ({ numbers }) =>
    seen.first?.push(numbers[0] as number),
  );
  const state = (n: number) => ({ numbers: new Int32Array(new SharedArrayBuffer(4)).fill(n) });
  give(state(1));
  let read: Int32Array | null = null;
  const { catchUp } = further.share<{ numbers: Int32Array }>('numbers', ({ numbers }) => {
    read = numbers;
    seen.further?.push(numbers[0] as number);
  });
  // The subscription itself takes one turn; a later subscriber gets the current state.
  while (read === null) await nextTurn();
  const last = state(3);
  give(state(2));
  give(last);
  catchUp();
  assert.deepEqual(seen, { first: [1, 2, 3], further: [1, 2, 3] });
  last.numbers[0] = 4;
  assert.equal((read as Int32Array)[0], 4, 'the same memory');
  give(state(5));
  while (seen.further?.length === 3) await nextTurn();
  catchUp();
  assert.deepEqual(seen.further, [1, 2, 3, 5], 'none twice, whichever way it came');
});

test('fair places limit slots over all threads, with one line per user across them', async () => {
  const options = { places: 2, waiting: 2, waiting_per_share: 1 };
  const [a, b] = [openFairPlaces(first, 'places', options), openFairPlaces(further, 'places', options)];
  const [ada, bob, eve] = [userShare('ada'), userShare('bob'), userShare('eve')];
  assert.deepEqual(await Promise.all([a.take(ada), b.take(ada)]), ['taken', 'taken']);
  const leaving = new AbortController();
  const order: string[] = [];
  const note = (name: string) => (how: string) => void order.push(`${name} ${how}`);
  const third = b.take(bob, leaving.signal).then(note('bob'));
  while (a.waiting() < 1) await nextTurn();
  const fourth = a.take(eve).then(note('eve'));
  assert.equal(await b.take(bob), 'busy');
  leaving.abort();
  await third;
  b.giveBack(ada);
  await fourth;
  assert.deepEqual(order, ['bob left', 'eve taken']);
  assert.equal(await a.take(ada, AbortSignal.abort()), 'left');
});

test('a keyed semaphore limits concurrent work per key over all threads', async () => {
  const [a, b] = [openKeyedSemaphore(first, 'tally', 2), openKeyedSemaphore(further, 'tally', 2)];
  assert.deepEqual([await a.take('ada'), await b.take('ada'), await b.take('ada')], [true, true, false]);
  assert.deepEqual([await a.take('ada'), await a.take('bob')], [false, true]);
  b.giveBack('ada');
  while (!(await a.take('ada'))) await nextTurn();
  assert.equal(await b.take('ada'), false);
});

test('calls to a thread that has ended fail, and broadcasts continue without it', async () => {
  further.takes('hang', () => new Promise(() => {}));
  const hanging = assert.rejects(line.call('hang', []), /has ended/);
  const everywhere = first.inEach('after', async () => 'first');
  line.close();
  await hanging;
  await assert.rejects(line.call('hang', []), /has ended/);
  assert.deepEqual(await everywhere(), ['first']);
  await assert.rejects(further.inFirst('add', neverHere)(), /has ended/);
});
