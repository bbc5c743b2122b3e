/** The tables of 0014-conversations.sql, column for column. */

export interface AgentsSchema {
  agent_conversations: ConversationRow;
  agent_turns: TurnRow;
  agent_models: { user_id: string; model: string; chosen_at: string };
}

export interface ConversationRow {
  id: string;
  user_id: string;
  title: string;
  state: string;
  turns: number;
  size: number;
  working_turn: string | null;
  working_until: string | null;
  created_at: string;
  updated_at: string;
}

export interface TurnRow {
  id: string;
  conversation_id: string;
  seq: number;
  status: string;
  model: string;
  input: string;
  message: string;
  messages: string;
  steps: string;
  usage: string;
  error: string | null;
  trace_id: string;
  cancel_requested_at: string | null;
  created_at: string;
  finished_at: string | null;
}
