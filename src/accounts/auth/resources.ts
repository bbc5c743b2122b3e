/** What tokens are valid for (RFC 8707): the whole service, or its MCP endpoint only. */

export const MCP_PATH = '/mcp/jsonrpc';

/** Where people look for the same endpoint. Tokens requested for it are tokens for `MCP_PATH`. */
export const SHORT_MCP_PATH = '/mcp';

/** The whole service comes first. */
export const resourcesOf = (base_url: string): readonly string[] => [base_url, base_url + MCP_PATH];

/**
 * Returns the resource that a client names, or null if it is unknown. Clients that name none implement an MCP revision
 * without resources, and get the least: the MCP endpoint.
 */
export function readResource(base_url: string, text: string | undefined): string | null {
  if (text === undefined) return base_url + MCP_PATH;
  const named = normal(text);
  if (named === normal(base_url + SHORT_MCP_PATH)) return base_url + MCP_PATH;
  return resourcesOf(base_url).find((resource) => normal(resource) === named) ?? null;
}

/** Clients disagree about the slash after a host. */
const normal = (text: string): string => URL.parse(text)?.href.replace(/\/$/, '') ?? text;
