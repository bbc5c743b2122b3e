/** What clients read before they begin (RFC 8414, RFC 9728). */

export const METADATA_MAX_AGE_S = 300;

/** Empty where the service has a host of its own. Clients then look for metadata with this path at the end. */
export const issuerPathOf = (base_url: string): string => new URL(base_url).pathname.replace(/\/$/, '');
