/** The official client, loaded on first use: it is large, and most processes never need it. */
export type Sdk = typeof import('@modelcontextprotocol/client');

export const loadSdk = (): Promise<Sdk> => import('@modelcontextprotocol/client');
