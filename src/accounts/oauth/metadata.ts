/** Metadata for clients (RFC 8414, RFC 9728). */

export const METADATA_MAX_AGE_S = 300;

/** The path of the service; empty if it has none. Clients append it to the metadata URL. */
export const issuerPathOf = (base_url: string): string => new URL(base_url).pathname.replace(/\/$/, '');
