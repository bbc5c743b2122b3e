import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import { shownConnection } from './connection.ts';
import { type ListingPlace, listConnections as readConnections } from './connections.ts';
import type { connectionsContract } from './contract.ts';
import type { ConnectionsDeps } from './deps.ts';

/** GET /api/sessions/connections */
export const listConnections =
  ({ db }: ConnectionsDeps): Handler<typeof connectionsContract.list> =>
  async ({ query: { limit, offset, listing }, caller, raw_path }) => {
    const place = listing === undefined ? null : placeIn(listing);
    const { items, total_count } = await readConnections(db, caller.user_id, { limit, offset }, place);
    return jsonPage({ items: items.map(shownConnection), total_count }, { limit, offset }, raw_path);
  };

function placeIn(listing: string): ListingPlace {
  const slash = listing.indexOf('/');
  return { provider_id: listing.slice(0, slash), external_id: listing.slice(slash + 1) };
}
