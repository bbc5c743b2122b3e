/** What tokens are good for (RFC 8707): the whole service, or its MCP endpoint alone. */

export const MCP_PATH = '/mcp/jsonrpc';

/** The whole service first. */
export const resourcesOf = (base_url: string): readonly string[] => [base_url, base_url + MCP_PATH];

/**
 * The resource that a client names; null where it is none of ours. Whoever names none speaks an MCP of before resources,
 * so it gets the least: the MCP endpoint.
 */
export function readResource(base_url: string, text: string | undefined): string | null {
  if (text === undefined) return base_url + MCP_PATH;
  const named = normal(text);
  return resourcesOf(base_url).find((resource) => normal(resource) === named) ?? null;
}

/** Clients disagree about the slash behind a host. */
const normal = (text: string): string => URL.parse(text)?.href.replace(/\/$/, '') ?? text;
