import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openKeyRing } from '#accounts/tokens/key-ring.ts';
import { tokenKeysCheck } from '#accounts/tokens/token-keys-check.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { oneDatabase } from '#test/databases.ts';
import { found } from '#test/doctor-stand.ts';
import { openReceiptKeys } from './receipt-keys.ts';
import { receiptKeysCheck } from './receipt-keys-check.ts';

const DAY_MS = 86_400_000;

oneDatabase('doctor checks of signing keys', (open) => {
  test('reports no keys, the age of the newest key, and keys due for rotation', async () => {
    const { db } = await open();
    const written = randomBytes(32).toString('base64');
    const keys = await openSecretKeys({ written, may_make: false, data_dir: '' });
    const clock = { ms: Date.parse('2026-01-01T00:00:00Z'), now: () => clock.ms };
    const rotation_ms = 90 * DAY_MS;
    const tokens = async () => (await found(tokenKeysCheck({ db, clock, rotation_ms }))).join();
    const receipts = async () => (await found(receiptKeysCheck({ db, clock }))).join();
    assert.match(`${await tokens()} ${await receipts()}`, /^ok: No signing key yet.* ok: No signing key yet/);
    await openKeyRing({ db, keys, clock, rotation_ms }).signing();
    await openReceiptKeys({ db, keys, clock }).signing();
    clock.ms += 40 * DAY_MS;
    assert.equal(await tokens(), 'ok: 1 published; the newest has been active for 40 days.');
    assert.equal(await receipts(), 'ok: 1 published; the newest has been active for 40 days.');
    clock.ms += 800 * DAY_MS;
    assert.match(await tokens(), /^warn: .* 840 days\. Rotation interval: 90 days\. .* → capstand tokens rotate$/);
    assert.match(await receipts(), /^warn: .* → capstand receipts rotate$/);
  });
});
