import { type Handler, json } from '#core/http/operation.ts';
import type { discoveryContract } from './contract.ts';
import type { ReadHot } from './hot.ts';
import type { KeptReplies } from './kept-replies.ts';

/** GET /api/discovery/hot */
export const listHot =
  ({ hot, kept }: { hot: ReadHot; kept: KeptReplies }): Handler<typeof discoveryContract.listHot> =>
  ({ query: { limit } }) =>
    kept(`${limit}`, async () => {
      const { items, window } = await hot();
      return json({ items: items.slice(0, limit), window });
    });
