import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BundleVerdict } from '../../sdk/src/index.ts';
import { defined } from '../../src/core/defined.ts';
import { BUNDLE_EXAMPLE, KEY_ID, STATEMENT_EXAMPLE } from '../../src/runtime/receipts/examples.ts';
import { receiptSection } from './receipt.ts';

function shown(signer?: 'local_key'): string {
  const predicate = { ...STATEMENT_EXAMPLE.predicate, ...defined({ signer }) };
  const verdict: BundleVerdict = {
    verdict: 'valid',
    valid: true,
    consistent: true,
    issuer: 'pinned',
    failed: null,
    detail: '',
    key_id: KEY_ID,
    log: { origin: 'capstan-local/key', index: 0, size: 1 },
    statement: { ...STATEMENT_EXAMPLE, predicate },
  };
  const section = receiptSection({ id: 'r', bundle: BUNDLE_EXAMPLE, verdict, base_url: 'http://x', task_id: null });
  return section.html.replace(/<[^>]+>/g, '');
}

test('a receipt of a local key is never shown as the service’s, even if its key is trusted', () => {
  assert.match(shown(), /Signed bythis service, with the key/);
  assert.match(shown(), /cannot be withdrawn/);
  const local = shown('local_key');
  assert.match(local, /Signed bya local key of a user’s machine, not a service, with the key/);
  assert.match(local, /What it does not prove\s*That the run took place/);
  assert.doesNotMatch(local, /cannot be withdrawn/);
});
