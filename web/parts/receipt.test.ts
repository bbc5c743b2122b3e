import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BundleVerdict } from '../../sdk/src/index.ts';
import { defined } from '../../src/core/defined.ts';
import { BUNDLE_EXAMPLE, KEY_ID, STATEMENT_EXAMPLE } from '../../src/runtime/receipts/examples.ts';
import { receiptSection } from './receipt.ts';

const VALID = {
  verdict: 'valid',
  valid: true,
  consistent: true,
  issuer: 'pinned',
  failed: null,
  detail: '',
  key_id: KEY_ID,
  log: { origin: 'capstan-local/key', index: 0, size: 1 },
  statement: STATEMENT_EXAMPLE,
} satisfies BundleVerdict;

function textOf(verdict: BundleVerdict): string {
  const section = receiptSection({ id: 'r', bundle: BUNDLE_EXAMPLE, verdict, base_url: 'http://x', task_id: null });
  return section.html.replace(/<[^>]+>/g, '');
}

function shown(signer?: 'local_key'): string {
  const predicate = { ...STATEMENT_EXAMPLE.predicate, ...defined({ signer }) };
  return textOf({ ...VALID, statement: { ...STATEMENT_EXAMPLE, predicate } });
}

test('a receipt of a local key is never shown as the service’s, even if its key is trusted', () => {
  assert.match(shown(), /Signature valid[\s\S]*Signed by this service/);
  assert.match(shown(), /cannot be withdrawn/);
  const local = shown('local_key');
  assert.match(local, /Signed by a local key of a user’s machine, not a service/);
  assert.match(local, /Not that the run took place/);
  assert.doesNotMatch(local, /cannot be withdrawn/);
});

test('the paper says why a receipt is not valid, and whether its issuer is unknown', () => {
  const { statement, log } = VALID;
  const unknown: BundleVerdict = {
    verdict: 'internally consistent, issuer unknown',
    valid: false,
    consistent: true,
    issuer: 'unknown',
    failed: 'issuer',
    detail: '',
    key_id: KEY_ID,
    log,
    statement,
  };
  assert.match(textOf(unknown), /Unknown issuer[\s\S]*This service did not sign it[\s\S]*Signed by an unknown issuer/);
  const detail = 'The signature does not match <b>the payload</b>.';
  const refused: BundleVerdict = { verdict: 'refused', valid: false, consistent: false, failed: 'signature', detail };
  assert.match(textOf(refused), /Not valid\s*The signature does not match &lt;b&gt;the payload/);
  assert.doesNotMatch(textOf(refused), /Signed by/);
});
