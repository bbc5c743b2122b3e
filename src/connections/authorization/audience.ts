/** Whether an access token is for a server, as far as a client can read it. Pure. */

/**
 * False for a JWT whose `aud` names addresses, none of which is the resource's: it would open another server to this one
 * (RFC 8707, RFC 9068). An opaque token, and an audience that is no address, say nothing.
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

function audiencesOf(token: string): string[] {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return [];
  try {
    const { aud } = Object(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    return [aud].flat().filter((audience) => typeof audience === 'string');
  } catch {
    return [];
  }
}
