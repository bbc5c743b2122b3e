/** The official client, at the first use: it is large, and most processes never sign in to a server. */
export type Sdk = typeof import('@modelcontextprotocol/client');

export const loadSdk = (): Promise<Sdk> => import('@modelcontextprotocol/client');
