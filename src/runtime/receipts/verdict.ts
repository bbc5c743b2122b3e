import type { Static } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import { CHECKS, verifyBundle } from './bundle.ts';
import type { ReceiptKeys } from './receipt-keys.ts';
import { isLocal, RunStatement } from './statement.ts';

/** The result of verifying a bundle. */

const VERDICTS = ['valid', 'internally consistent, issuer unknown', 'refused'] as const;

export const Verdict = Type.Object({
  verdict: Type.Enum([...VERDICTS]),
  valid: Type.Boolean({
    description: 'Consistent, and signed by a trusted issuer. Rely on the receipt only if this is true.',
  }),
  consistent: Type.Boolean({
    description: 'Signature, log proof and checkpoint agree. Anyone can create such a bundle with their own key.',
  }),
  issuer: Type.Enum(['this_service', 'trusted', 'unknown'], {
    description: 'Whose key signed it: `trusted` is one of those that the operator lists.',
  }),
  failed: Type.Union([Type.Enum([...CHECKS, 'issuer']), Type.Null()], {
    description: 'The first check that did not pass; `issuer` where all others did.',
  }),
  detail: Type.String({ description: 'The verdict in one sentence.' }),
  key_id: Type.Union([Type.String(), Type.Null()]),
  log: Type.Union([Type.Object({ origin: Type.String(), index: Type.Integer(), size: Type.Integer() }), Type.Null()]),
  statement: Type.Union([RunStatement, Type.Null()], {
    description: 'The content of the receipt; null unless consistent. Rely on it only if `valid` is true.',
  }),
});
export type Verdict = Static<typeof Verdict>;

/** Whose receipts are valid here. */
export interface Trust {
  receipt_keys: Pick<ReceiptKeys, 'published'>;
  /** Key ids of other issuers. */
  trusted_keys: readonly string[];
}

/** A bundle, or an object with one as its only member `bundle`. */
export function bundleIn(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('bundle' in body)) return body;
  return Object.keys(body).length === 1 ? body.bundle : body;
}

/** Every check that `capstan verify` makes, and whether a trusted key signed. */
export async function verdictOf({ receipt_keys, trusted_keys }: Trust, bundle: unknown): Promise<Verdict> {
  const found = verifyBundle(bundle);
  if (!found.consistent) {
    const { failed, detail } = found;
    const nothing = { key_id: null, log: null, statement: null };
    return { verdict: 'refused', valid: false, consistent: false, issuer: 'unknown', failed, detail, ...nothing };
  }
  const { statement, checkpoint, key_id, index } = found;
  const facts = { key_id, log: { origin: checkpoint.origin, index, size: checkpoint.size }, statement };
  const valid = { verdict: 'valid', valid: true, consistent: true, failed: null } as const;
  if ((await receipt_keys.published()).some(({ kid }) => kid === key_id))
    return { ...valid, issuer: 'this_service', detail: 'Signed by this service, and in its log.', ...facts };
  if (trusted_keys.includes(key_id))
    return {
      ...valid,
      issuer: 'trusted',
      detail: isLocal(statement)
        ? 'Signed by a local key that this service trusts, not by a service.'
        : 'Signed by an issuer that this service trusts.',
      ...facts,
    };
  return {
    verdict: 'internally consistent, issuer unknown',
    valid: false,
    consistent: true,
    issuer: 'unknown',
    failed: 'issuer',
    detail: isLocal(statement)
      ? 'Internally consistent. Signed by a local key, not by a service, and this service does not trust that key.'
      : 'Internally consistent, issuer unknown: no key that this service trusts signed it.',
    ...facts,
  };
}
