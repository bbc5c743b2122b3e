/** The MCP library, loaded with the first message. */
export type Sdk = typeof import('@modelcontextprotocol/server');

export const loadSdk = (): Promise<Sdk> => import('@modelcontextprotocol/server');
