import type { Holding } from '#accounts/users/holding.ts';
import { readChosen } from '#runtime/models/chosen-models.ts';
import { listConversations } from '#surfaces/conversations/conversations.ts';
import { shownConversation, shownTurn } from './shown.ts';
import { listTurns } from './turns.ts';

const MOST_CONVERSATIONS = 10_000;
/** Maximum characters of all turns, because an export is one response. */
const MOST_CONTENT = 16 * 1024 * 1024;
const MOST_TURNS = 1_000;

/** Conversations cascade with their owner's row. The export has the newest ones with their turns. */
export const agentsHolding: Holding = {
  name: 'agent',
  read: async (db, { user_id }) => {
    const { items } = await listConversations(db, user_id, { limit: MOST_CONVERSATIONS, offset: 0 });
    const conversations: unknown[] = [];
    let left = MOST_CONTENT;
    for (const item of items) {
      const turns = left > 0 ? (await listTurns(db, item.id, MOST_TURNS)).map(shownTurn) : [];
      left -= JSON.stringify(turns).length;
      conversations.push({ ...shownConversation(item), items: turns });
    }
    return { model: await readChosen(db, user_id), conversations };
  },
};
