import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerCache } from './answer-cache.ts';
import { jsonText } from './operation.ts';

/** Returns numbered responses from a buffer that the next response reuses. */
function stand(most_bytes = 1_000_000) {
  const cache = answerCache<string>({ most_bytes, isNewest: (state) => state === newest });
  const memory = Buffer.alloc(8);
  let newest = 'one';
  let made = 0;
  const ask = (state: string, key: string) => {
    newest = state;
    const reply = cache.answer(state, key, () => {
      memory.fill(` ${++made}`);
      return { ...jsonText(memory), release: () => memory.fill(0) };
    });
    const text = (reply.body as Buffer).toString().trim().split(' ')[0];
    reply.release?.();
    return { text, isFresh: reply.isFresh };
  };
  return { ask, change: () => (newest = 'another') };
}

test('a response is cached on its second request, until the state changes', () => {
  const { ask, change } = stand();
  const texts = [ask('one', 'a'), ask('one', 'a'), ask('one', 'b'), ask('one', 'a')].map(({ text }) => text);
  assert.deepEqual(texts, ['1', '2', '3', '2'], 'asked once it is not kept');
  const { isFresh } = ask('one', 'a');
  assert.equal(isFresh?.(), true);
  change();
  assert.equal(isFresh?.(), false);
  assert.deepEqual([ask('two', 'a').text, ask('two', 'a').text], ['4', '4'], 'it was asked before: kept at once');
});

test('the cache evicts responses that exceed its size', () => {
  const { ask } = stand(1_500);
  for (const key of ['a', 'a', 'b', 'b']) ask('one', key);
  assert.deepEqual([ask('one', 'b').text, ask('one', 'a').text], ['4', '5']);
});
