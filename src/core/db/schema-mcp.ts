/** The tables of 0020-mcp-sessions.sql, column for column. */

export interface McpSchema {
  mcp_sessions: McpSessionRow;
  mcp_session_mail: McpMailRow;
}

export interface McpSessionRow {
  id: string;
  user_id: string | null;
  owner: string;
  hello: string;
  expires_at: string;
}

interface McpMailRow {
  id: string;
  session_id: string;
  address: string;
  sealed_message: string;
  expires_at: string;
}
