import { PLANNER_ID } from '#core/llm/settings.ts';
import type { Conversation, Turn } from './turn.ts';

/** The stored data as callers see it. */

export const shownConversation = ({ id, title, turns, created_at, updated_at }: Conversation) => ({
  id,
  title,
  turns,
  created_at,
  updated_at,
});

export const shownTurn = ({ seq: _, messages: __, ...turn }: Turn) => ({ ...turn, is_llm: turn.model !== PLANNER_ID });
