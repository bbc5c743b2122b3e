import { type Clock, isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { discoveryContract } from './contract.ts';
import type { KeptReplies } from './kept-replies.ts';
import type { DiscoveredAgent, DiscoveredProtocol } from './shapes.ts';
import type { SearchTools } from './tool-search.ts';

interface GetAllDeps {
  search: SearchTools;
  agents(): readonly DiscoveredAgent[];
  protocols: readonly DiscoveredProtocol[];
  kept: KeptReplies;
  clock: Clock;
}

/** Of more tools than the service has itself. */
const FIRST_PAGE = { limit: 100, offset: 0 };

/** GET /api/discovery/all */
export const getAll =
  ({ search, agents, protocols, kept, clock }: GetAllDeps): Handler<typeof discoveryContract.getAll> =>
  () =>
    kept('all', async () => {
      const tools = { ...(await search(FIRST_PAGE)), ...FIRST_PAGE };
      const generated_at = isoTime(clock.now());
      const is_whole = tools.total_count <= FIRST_PAGE.limit;
      const more_tools = is_whole ? null : `/api/discovery/tools?limit=${FIRST_PAGE.limit}&offset=${FIRST_PAGE.limit}`;
      const all = { tools, more_tools, agents: { items: agents() }, protocols: { items: protocols }, generated_at };
      return json(all);
    });
