-- JSON: names of tools that are called without asking the owner of the endpoint, who is asked before each call of the others. NULL:
-- nobody is asked.
ALTER TABLE mcp_endpoint_connections ADD COLUMN ask_except TEXT;
