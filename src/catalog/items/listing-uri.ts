/** URI of a listing as an MCP resource: `listing://{provider}/{+external_id}`. */
export const listingUri = (provider: string, external_id: string): string =>
  `listing://${provider}/${external_id.split('/').map(encodeURIComponent).join('/')}`;
