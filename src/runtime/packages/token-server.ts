/** Which token servers get the operator's password of a registry. Pure. */

/** Docker's own token server has another host than its registry. */
const KNOWN: Readonly<Record<string, readonly string[]>> = { 'docker.io': ['auth.docker.io'] };

interface TokenServer {
  /** As the registry's challenge names it, so untrusted. */
  realm: URL;
  /** The configured address of the registry's API. */
  api: URL;
  /** The registry in image names. */
  host: string;
  /** Hosts that the operator allows. */
  allowed: readonly string[];
}

/**
 * The address that the operator configured, and over TLS its host, the registry's host, their subdomains and allowed hosts. No list of
 * public suffixes is used, so a sibling or a parent of the registry's host has to be allowed.
 */
export function getsPassword({ realm, api, host, allowed }: TokenServer): boolean {
  if (realm.origin === api.origin) return true;
  if (realm.protocol !== 'https:') return false;
  const own = [api.hostname, URL.parse(`https://${host}`)?.hostname ?? host];
  const isOwn = own.some((each) => realm.hostname === each || realm.hostname.endsWith(`.${each}`));
  return isOwn || [...allowed, ...(KNOWN[host] ?? [])].includes(realm.host);
}
