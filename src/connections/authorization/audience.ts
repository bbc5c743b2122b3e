import { jwtClaims } from './jwt-claims.ts';

/** Checks whether an access token is for a server, as far as a client can read it. Pure. */

/**
 * Returns false for a JWT whose `aud` contains URLs but not the resource: another server could be accessed with it (RFC
 * 8707, RFC 9068). Opaque tokens and audiences that are not URLs are accepted.
 */
export function isMeantFor(access_token: string, resource: string): boolean {
  const audiences = audiencesOf(access_token).filter((audience) => /^https?:/i.test(audience));
  return audiences.length === 0 || audiences.some((audience) => covers(audience, resource));
}

function covers(audience: string, resource: string): boolean {
  const [named, asked] = [URL.parse(audience), URL.parse(resource)];
  if (named === null || asked === null || named.origin !== asked.origin) return false;
  const [shorter, longer] = [named.pathname, asked.pathname]
    .map((path) => (path.endsWith('/') ? path : `${path}/`))
    .sort();
  return (longer as string).startsWith(shorter as string);
}

const audiencesOf = (token: string): string[] =>
  [jwtClaims(token).aud].flat().filter((audience) => typeof audience === 'string');
