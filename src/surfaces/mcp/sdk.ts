/** The protocol's library. Loaded with the first message: most of what starts is asked for none for a while. */
export type Sdk = typeof import('@modelcontextprotocol/server');

export const loadSdk = (): Promise<Sdk> => import('@modelcontextprotocol/server');
