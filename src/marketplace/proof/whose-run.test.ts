import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUSE_IDS } from '#accounts/users/house-accounts.ts';
import type { RunStatement } from '#runtime/receipts/statement.ts';
import { whoseRun } from './whose-run.ts';

test('runs without an account, and examples of the service, count for nobody, whatever their task says', async () => {
  const commitment = (userId: string | null, subject: string) => `${userId} ${subject}`;
  const whose = whoseRun(undefined as never, commitment);
  for (const id of HOUSE_IDS) {
    const subject = [{ name: 'skill/echo@1.0.0' }];
    const caller = { commitment: commitment(id, 'skill/echo@1.0.0') };
    const statement = { subject, predicate: { caller } } as unknown as RunStatement;
    for (const hint of [id, undefined])
      assert.deepEqual(await whose(statement, hint), { caller: 'nobody', user_id: null });
  }
});
