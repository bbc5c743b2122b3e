import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownTurn } from './own-turn.ts';
import { pauses } from './pauses.ts';

test('each turn of the event loop is granted to one piece of work, in order', async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const granted: [name: string, turn: number][] = [];
  const work = async (name: string): Promise<void> => {
    for (let step = 0; step < 3; step++) {
      await ownTurn();
      granted.push([name, turn]);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  isOver = true;
  assert.equal(granted.map(([name]) => name).join(''), 'abcabcabc');
  assert.equal(new Set(granted.map(([, at]) => at)).size, granted.length);
});

test('long work takes a turn before a step when enough time has passed, and short work none', async () => {
  assert.equal(pauses(60_000)(), undefined);
  const pause = pauses(0);
  const order: string[] = [];
  setImmediate(() => order.push('others'));
  order.push('step');
  await pause();
  order.push('step');
  assert.deepEqual(order, ['step', 'others', 'step']);
});
