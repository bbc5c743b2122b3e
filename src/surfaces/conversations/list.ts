import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { Agent } from '#surfaces/agent/run-turn.ts';
import { shownConversation } from '#surfaces/agent/shown.ts';
import type { conversationsContract } from './contract.ts';
import { listConversations as readConversations } from './conversations.ts';

/** GET /api/agents/core-agent/conversations */
export const listConversations =
  ({ deps }: Agent): Handler<typeof conversationsContract.list> =>
  async ({ query: { limit, offset }, caller, raw_path }) => {
    const { items, total_count } = await readConversations(deps.database.db, caller.user_id, { limit, offset });
    return jsonPage({ items: items.map(shownConversation), total_count }, { limit, offset }, raw_path);
  };
