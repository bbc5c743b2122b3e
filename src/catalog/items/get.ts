import type { Kysely } from 'kysely';
import { DETAIL_WAITS_MS, type EnsureDetail } from '#catalog/details/fetch-details.ts';
import type { ReadDetails } from '#catalog/details/read-details.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { preferredType } from '#core/http/accept.ts';
import { type Handler, json, type Reply } from '#core/http/operation.ts';
import type { ReadCapabilityId } from './capability-id.ts';
import type { itemsContract } from './contract.ts';
import { findListing } from './find-listing.ts';
import { itemMdReply } from './get-md.ts';
import { detailOf } from './item-detail.ts';
import { itemPath } from './item-path.ts';
import type { ReadRunnable } from './runnable.ts';
import { type ReadVerification, verificationOfOne } from './verification.ts';

interface GetItemDeps {
  db: Kysely<Schema>;
  clock: Clock;
  runnable: ReadRunnable;
  capabilityIdOf: ReadCapabilityId;
  verification: ReadVerification;
  ensureDetail: EnsureDetail;
  readDetails: ReadDetails;
}

/** GET /api/marketplace/registry/{provider}/{id}, and its Markdown for a final `/md`. */
export const getItem =
  ({
    db,
    clock,
    runnable,
    capabilityIdOf,
    verification,
    ensureDetail,
    readDetails,
  }: GetItemDeps): Handler<typeof itemsContract.get> =>
  async ({ params, headers }) => {
    const found = await findListing(db, params.provider, params.id, clock.now());
    if (found.kind === 'moved') return movedReply(params.provider, found.external_id, found.markdown);
    const row = await ensureDetail(found.row, DETAIL_WAITS_MS.page);
    const [ran, verified, capabilityId, more] = await Promise.all([
      runnable(row),
      verificationOfOne(verification, row),
      capabilityIdOf(row),
      readDetails(row),
    ]);
    const detail = detailOf(row, ran, verified, capabilityId, more);
    const asked = preferredType(headers.accept, ['application/json', 'text/markdown']);
    if (found.markdown || asked === 'text/markdown') return itemMdReply(detail);
    return json(detail, { headers: { vary: 'accept' } });
  };

function movedReply(provider: string, externalId: string, markdown: boolean): Reply {
  const location = `${itemPath(provider, externalId)}${markdown ? '/md' : ''}`;
  return json({ location }, { status: 308, headers: { location, vary: 'accept' } });
}
