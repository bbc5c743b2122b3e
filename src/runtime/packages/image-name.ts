import { nameInvalid } from './errors.ts';

/** The name of a container image, without tag and digest, in its parts. */
export interface ImageName {
  /** `docker.io` if the name has no host. */
  host: string;
  /** `library/busybox`. */
  repository: string;
}

const HUB = 'docker.io';
const MOST_CHARS = 255;
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i;
const SEGMENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

/**
 * As Docker reads names: the first part is a host if it has a dot or a port, or is `localhost`.
 *
 * @throws Problem `http.invalid` (`input`).
 */
export function parseImageName(name: string): ImageName {
  const refuse = () => nameInvalid(name, 'the name of an image, such as ghcr.io/ana/server');
  if (name.length > MOST_CHARS) throw refuse();
  const [first = '', ...rest] = name.split('/');
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const host = hasHost ? first.toLowerCase() : HUB;
  const path = hasHost ? rest : [first, ...rest];
  if (!HOST.test(host) || path.some((segment) => !SEGMENT.test(segment))) throw refuse();
  const isOfficial = path.length === 1 && host === HUB;
  return { host, repository: isOfficial ? `library/${path[0]}` : path.join('/') };
}
