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
      return json({ tools, agents: { items: agents() }, protocols: { items: protocols }, generated_at });
    });
