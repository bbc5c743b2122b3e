import type { Static } from 'typebox';
import { Type } from '../../platform/json-schema/type.ts';
import { CHECKS, verifyBundle } from './bundle.ts';
import type { ReceiptKeys } from './receipt-keys.ts';
import { RunStatement } from './statement.ts';

/** What is found of a bundle that somebody shows. */

export const Verdict = Type.Object({
  valid: Type.Boolean({ description: 'Whether the bundle holds together: every check passed.' }),
  issuer: Type.Enum(['this_service', 'unknown'], {
    description: 'Whose key signed it. A bundle of an unknown issuer can be consistent and still be made up.',
  }),
  failed: Type.Union([Type.Enum([...CHECKS]), Type.Null()], { description: 'The first check that did not pass.' }),
  detail: Type.String({ description: 'The verdict in one sentence.' }),
  key_id: Type.Union([Type.String(), Type.Null()]),
  log: Type.Union([Type.Object({ origin: Type.String(), index: Type.Integer(), size: Type.Integer() }), Type.Null()]),
  statement: Type.Union([RunStatement, Type.Null()], { description: 'What the receipt says; null unless valid.' }),
});
export type Verdict = Static<typeof Verdict>;

/** Every check that `capstan verify` makes, and whether one of this service's keys signed. */
export async function verdictOf(keys: Pick<ReceiptKeys, 'published'>, bundle: unknown): Promise<Verdict> {
  const verdict = verifyBundle(bundle);
  if (!verdict.valid) {
    const { failed, detail } = verdict;
    return { valid: false, issuer: 'unknown', failed, detail, key_id: null, log: null, statement: null };
  }
  const { statement, checkpoint, key_id, index } = verdict;
  const ours = (await keys.published()).some(({ kid }) => kid === key_id);
  return {
    valid: true,
    issuer: ours ? 'this_service' : 'unknown',
    failed: null,
    detail: ours ? 'Signed by this service, and in its log.' : 'Internally consistent, issuer unknown.',
    key_id,
    log: { origin: checkpoint.origin, index, size: checkpoint.size },
    statement,
  };
}
