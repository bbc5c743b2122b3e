/** `listing://{provider}/{+external_id}`: the address of a listing as a resource. */
export const listingUri = (provider: string, external_id: string): string =>
  `listing://${provider}/${external_id.split('/').map(encodeURIComponent).join('/')}`;
