import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { discoveryContract } from './contract.ts';
import type { KeptReplies } from './kept-replies.ts';
import type { SearchTools } from './tool-search.ts';

interface ListToolsDeps {
  search: SearchTools;
  kept: KeptReplies;
}

/** GET /api/discovery/tools */
export const listTools =
  ({ search: searchTools, kept }: ListToolsDeps): Handler<typeof discoveryContract.listTools> =>
  ({ query: { search, server, limit, offset }, raw_path }) => {
    const asked = { search, server };
    const page = { limit, offset };
    return kept(JSON.stringify([asked, page]), async () =>
      jsonPage(await searchTools({ ...asked, ...page }), page, raw_path, asked),
    );
  };
