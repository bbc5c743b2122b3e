import assert from 'node:assert/strict';
import { test } from 'node:test';
import { besideCards, linkReceipts } from './chat-words.ts';

const PLANNED = 'Planned without a language model: searched.';
const FOUND = ['These match:', '1. `a`: one', '2. `b`: two', '', 'Say “run” with a number.'].join('\n');

test('a list that is shown as cards is not repeated, and one that is not stays', () => {
  const shown = { is_llm: false, has_run: false };
  const message = `${FOUND}\n\n${PLANNED}`;
  const cards = besideCards(message, { ...shown, finds: 2 });
  assert.deepEqual(cards, { text: 'These match:\n\nSay “run” with a number.', by: PLANNED });
  assert.deepEqual(besideCards(message, { ...shown, finds: 1 }), { text: FOUND, by: PLANNED });
  assert.equal(besideCards(message, { ...shown, has_run: true, finds: 0 }).text, '');
  assert.deepEqual(besideCards(FOUND, { ...shown, is_llm: true, finds: 2 }), { text: FOUND, by: null });
});

test('the path of a receipt of the turn is a link, in text and in a link, and others stay', () => {
  const id = '01980a5e-7c1b-7d8e-9f00-000000000003';
  const other = '01980a5e-7c1b-7d8e-9f00-000000000004';
  const linked = (text: string) => linkReceipts(text, new Set([id]), 'https://c.example');
  const link = `[receipt](https://c.example/receipts/${id})`;
  for (const raw of [`/api/receipts/${id}`, `\`receipt://${id}\``, `https://c.example/api/receipts/${id}`])
    assert.equal(linked(`It: ${raw}.`), `It: ${link}.`);
  assert.equal(linked(`[Proof](/api/receipts/${id})`), `[Proof](https://c.example/receipts/${id})`);
  assert.equal(linked(`/api/receipts/${other}`), `/api/receipts/${other}`);
});
