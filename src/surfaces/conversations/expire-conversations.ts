import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';
import { deleteConversationsBefore } from './conversations.ts';

/** Deletes conversations without a turn for a long time. */

export const EXPIRE_CONVERSATIONS = 'agent_conversations_expire';

export const expireConversationsKind = ({
  db,
  clock,
  retention_ms,
}: Pick<Expiry, 'db' | 'clock'> & { retention_ms: number }) =>
  expiryKind({
    kind: EXPIRE_CONVERSATIONS,
    db,
    clock,
    kept_ms: retention_ms,
    batch: 100,
    remove: deleteConversationsBefore,
  });
