import type { Kysely } from 'kysely';
import type { Holding } from '#accounts/users/holding.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { closePublisher, findPublisherOf } from '#marketplace/publishers/publishers.ts';
import { change } from '#marketplace/publishing/withdraw.ts';
import { deleteAllTrusted, listTrusted } from '#marketplace/trusted-publishers/trusted-publishers.ts';
import { changeVersions, forgetReasons, listChanges, listListingsOf, listVersions, nextChange } from './listings.ts';
import { detailOf } from './shapes.ts';

/**
 * Published listings of an account. Deleting the account unpublishes them and removes personal data. Versions and digests stay,
 * because receipts and locks of others name them, and the names stay reserved.
 */
export const publishingHolding = ({ clock }: { clock: Clock }): Holding => ({
  name: 'published',
  read: async (db, { user_id }) => readPublished(db, user_id),
  // Takes the change number before the account's row, in the same order as publishing, to avoid deadlocks.
  release: async (trx, { user_id }) => {
    const publisher = await findPublisherOf(trx, user_id);
    if (publisher === undefined) return;
    const seq = await nextChange(trx);
    const at = isoTime(clock.now());
    for (const listing of await listListingsOf(trx, publisher.id)) {
      const versions = await listVersions(trx, [listing.id]);
      const standing = versions.filter(({ status }) => status !== 'unpublished').map(({ version }) => version);
      await change(trx, listing.id, 'unpublish', standing, { seq, actor: 'publisher', reason: DELETED, at });
      await changeVersions(
        trx,
        listing.id,
        versions.map(({ version }) => version),
        { ...BLANK, status_reason: DELETED },
      );
      await forgetReasons(trx, listing.id);
      await deleteAllTrusted(trx, listing.id);
    }
    await closePublisher(trx, publisher, at);
  },
});

const DELETED = 'The publisher’s account was deleted.';
/** Digests, licences, paths and sizes stay. */
const BLANK = { description: '', tags: '[]', findings: '[]', claim: null, published_by: null } as const;

async function readPublished(db: Kysely<Schema>, userId: string) {
  const publisher = await findPublisherOf(db, userId);
  if (publisher === undefined) return null;
  const { id, name, created_at } = publisher;
  const listings = [];
  for (const listing of await listListingsOf(db, id)) {
    const history = await listChanges(db, listing.id);
    listings.push({
      id: listing.id,
      name: listing.name,
      status: listing.status,
      status_reason: listing.status_reason,
      versions: (await listVersions(db, [listing.id])).map((version) => detailOf(listing, version)),
      trusted_publishers: await listTrusted(db, listing.id),
      history: history.map(({ version, change: what, actor, reason, at }) => ({
        version,
        change: what,
        actor,
        reason,
        at,
      })),
    });
  }
  return { id, name, created_at, listings };
}
