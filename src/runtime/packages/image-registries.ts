import { readFileSync } from 'node:fs';
import { registryForbidden, registryRequired } from './errors.ts';
import { isObject, jsonObject } from './npm-registry.ts';

/** The registries that images may come from, as the operator lists them, and the credentials for them. */
export interface ImageRegistries {
  /**
   * The address of a host's registry API, without a slash at the end.
   *
   * @throws Problem `packages.unavailable` (`registry_required`), `packages.forbidden` (`registry_forbidden`).
   */
  addressOf(host: string): string;
  /** `user:password` in Base64; null for none. */
  credentialsOf(host: string): string | null;
  /** Hosts beside the registries' own that get these credentials for a token. */
  token_servers: readonly string[];
}

const REGISTRIES_SETTING = 'CAPSTAN_OCI_REGISTRIES';

/** Docker's registry has another host name than the one in image names. */
const API_HOSTS: Readonly<Record<string, string>> = { 'docker.io': 'registry-1.docker.io' };

/** The key that Docker's own client uses in its configuration file. */
const HUB_AUTH_KEY = 'https://index.docker.io/v1/';

/**
 * Reads the setting: `ghcr.io, docker.io=https://mirror.example`. A host without an address is asked at its own.
 *
 * @throws RangeError for an entry of another form, or an authentication file that cannot be read.
 */
export function readImageRegistries(setting: string, auth_file: string | null, token_servers: string): ImageRegistries {
  const addresses = new Map<string, string>();
  for (const entry of setting.split(',').map((text) => text.trim())) {
    if (entry === '') continue;
    const [host = '', address = `https://${API_HOSTS[host] ?? host}`] = entry.split(/=(.*)/s);
    const url = URL.parse(address);
    if (host === '' || url === null || !['https:', 'http:'].includes(url.protocol))
      throw new RangeError(`${REGISTRIES_SETTING} has "${entry}"; use a host or host=https://address.`);
    addresses.set(host.toLowerCase(), `${url.origin}${url.pathname.replace(/\/$/, '')}`);
  }
  const credentials = auth_file === null ? new Map<string, string>() : readAuthFile(auth_file);
  return {
    addressOf: (host) => {
      if (addresses.size === 0) throw registryRequired(REGISTRIES_SETTING);
      const address = addresses.get(host);
      if (address === undefined) throw registryForbidden(host, REGISTRIES_SETTING);
      return address;
    },
    token_servers: token_servers
      .split(',')
      .map((each) => each.trim().toLowerCase())
      .filter((each) => each !== ''),
    credentialsOf: (host) => credentials.get(host) ?? null,
  };
}

/** The `auths` of a Docker `config.json`. Credential helpers are programs, so they are not supported. */
function readAuthFile(file: string): Map<string, string> {
  const auths = jsonObject(readFileSync(file, 'utf8'))?.auths;
  if (!isObject(auths)) throw new RangeError(`${file} has no "auths" object as Docker's config.json has.`);
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(auths)) {
    const auth = isObject(value) ? value.auth : undefined;
    if (typeof auth !== 'string' || auth === '') continue;
    const host = key === HUB_AUTH_KEY ? 'docker.io' : key.replace(/^https?:\/\//, '').replace(/\/.*$/s, '');
    found.set(host.toLowerCase(), auth);
  }
  return found;
}
