import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { discoveryContract } from './contract.ts';
import type { KeptReplies } from './kept-replies.ts';
import type { SearchTools } from './tool-search.ts';

export interface ListToolsDeps {
  search: SearchTools;
  kept: KeptReplies;
}

/** GET /api/discovery/tools */
export const listTools =
  ({ search: searchTools, kept }: ListToolsDeps): Handler<typeof discoveryContract.listTools> =>
  ({ query: { search, server, limit, offset }, raw_path }) => {
    const asked = new URLSearchParams({
      ...(search === undefined ? {} : { search }),
      ...(server === undefined ? {} : { server }),
      limit: String(limit),
    }).toString();
    return kept(`${asked}&offset=${offset}`, async () => {
      const { items, total_count } = await searchTools({ search, server, limit, offset });
      const headers = pageLinks(raw_path, { limit, offset, total_count }, asked);
      return json({ items, total_count, limit, offset }, { headers });
    });
  };
