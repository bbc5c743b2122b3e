/** The tables of 0006-sessions.sql, column for column, with those of 0038-packaged-connections.sql, 0042, 0049, 0053 and 0057. */

export interface SessionsSchema {
  connections: ConnectionRow;
  connection_secrets: ConnectionSecretRow;
  connection_tools: ConnectionToolRow;
  connection_grants: ConnectionGrantRow;
  connection_clients: ConnectionClientRow;
  connection_flows: ConnectionFlowRow;
  mcp_endpoints: McpEndpointRow;
  mcp_endpoint_connections: McpEndpointConnectionRow;
  server_questions: ServerQuestionRow;
  suspended_calls: SuspendedCallRow;
}

interface ServerQuestionRow {
  id: string;
  user_id: string;
  /** The call that asks: `connection <id>`, `task <id>` or `chat`. */
  scope: string;
  expires_at: string;
  /** Sealed JSON. */
  answer: string | null;
}

interface SuspendedCallRow {
  /** The id of the call and the number of the question. */
  id: string;
  user_id: string;
  call_sha256: string;
  expires_at: string;
  /** Sealed JSON, like `next`. */
  answer: string | null;
  next: string | null;
}

export interface McpEndpointRow {
  id: string;
  user_id: string;
  api_key_id: string | null;
  name: string;
  token_hash: string;
  hint: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

interface McpEndpointConnectionRow {
  endpoint_id: string;
  connection_id: string;
  prefix: string;
  tools: string | null;
  ask_except: string | null;
}

export interface ConnectionRow {
  id: string;
  user_id: string;
  name: string;
  provider_id: string | null;
  external_id: string | null;
  url: string;
  transport: string;
  status: string;
  auth: string;
  server_info: string | null;
  protocol_version: string | null;
  last_error: string | null;
  tools: string | null;
  tools_read_at: string | null;
  tools_left_out: string | null;
  tools_pinned_at: string | null;
  created_at: string;
  last_used_at: string | null;
  package: string | null;
  package_hosts: string | null;
  package_seen: string | null;
}

interface ConnectionSecretRow {
  connection_id: string;
  field: string;
  version: number;
  sealed: string;
  updated_at: string;
}

interface ConnectionToolRow {
  connection_id: string;
  tool: string;
  hash: string;
  definition: string;
  accepted_at: string;
}

export interface ConnectionGrantRow {
  connection_id: string;
  version: number;
  issuer: string;
  resource: string;
  scope: string;
  wanted_scope: string;
  discovery: string;
  client_id: string;
  expires_at: string | null;
  refreshed_at: string;
  lease_holder: string | null;
  lease_until: string | null;
}

interface ConnectionClientRow {
  issuer: string;
  redirect_uri: string;
  sealed: string;
  created_at: string;
}

export interface ConnectionFlowRow {
  state_hash: string;
  connection_id: string;
  user_id: string;
  browser_hash: string;
  sealed: string;
  flow: string;
  return_to: string | null;
  created_at: string;
  expires_at: string;
  used_at: string | null;
}
