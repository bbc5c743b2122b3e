import { defined } from '#core/defined.ts';
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
  ({ query: { search, server, limit, offset, explain }, raw_path }) => {
    const asked = { search, server, explain };
    const page = { limit, offset };
    return kept(JSON.stringify([asked, page]), async () => {
      const { models, ...found } = await searchTools({ search, server, ...page, explain: explain === '1' });
      return jsonPage(found, page, raw_path, asked, defined({ models }));
    });
  };
