import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { listAudit } from '#core/audit/audit.ts';
import { systemClock } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { eachDatabase } from '#test/databases.ts';
import { openReceiptKeys } from './receipt-keys.ts';
import { receiptsCommand } from './receipts-command.ts';

eachDatabase('capstand receipts', (open) => {
  test('rotate: a new key signs, the previous key stays published, and the audit log records it', async () => {
    const { db } = await open();
    const keys = keyProvider([createSecretKey(randomBytes(32))]);
    const receipt_keys = openReceiptKeys({ db, keys, clock: systemClock });
    const written: string[] = [];
    const stream = { write: (text: string | Uint8Array) => written.push(`${text}`) };
    const run = (...argv: string[]) =>
      receiptsCommand(argv, { stdout: stream, stderr: stream }, { db, clock: systemClock, keys, receipt_keys });
    const { id: first } = await receipt_keys.signing();
    assert.equal(await run('rotate'), 0);
    const { id } = await receipt_keys.signing();
    assert.notEqual(id, first);
    assert.equal(written.pop(), `The key ${id} signs receipts from now on.\n`);
    assert.deepEqual(
      (await receipt_keys.published()).map(({ kid }) => kid),
      [first, id],
    );
    assert.deepEqual((await Array.fromAsync(listAudit(db))).at(-1)?.action, 'receipts.rotate_key');
    for (const argv of [[], ['turn'], ['rotate', 'twice']]) assert.equal(await run(...argv), 2);
  });
});
