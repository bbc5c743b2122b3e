/** The table of 0015-a2a.sql, column for column. */

export interface A2aSchema {
  agent_a2a_turns: { turn_id: string; message_id: string; task_id: string | null };
}
