import { quoted } from '#catalog/checks/violation.ts';
import type { Connection } from '#core/db/connection.ts';
import { Problem } from '#core/problem/problem.ts';
import { standingOf } from './standing-of.ts';

/** Throws 410 `marketplace.listing_taken_down` for a current capability with an active takedown. */
export async function refuseTakenDown(connection: Pick<Connection, 'query'>, id: string): Promise<void> {
  const takedown = (await standingOf(connection, [id])).get(id)?.takedown;
  if (takedown == null) return;
  const { kind, rule, reason, at } = takedown;
  const history = `/api/marketplace/listings/${id}/moderation`;
  throw new Problem(
    'gone',
    'marketplace.listing_taken_down',
    `This capability was taken down (${kind}): ${quoted(reason)} History and appeals: ${history}.`,
    { extensions: { tombstone: { id, taken_down: { kind, rule, reason, at, history } } } },
  );
}
