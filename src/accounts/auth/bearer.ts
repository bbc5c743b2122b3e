import { tokenInvalid, tokenMissing } from './refusals.ts';

/** Returns the credential of `Authorization: Bearer …`. Throws a 401 without one. */
export function readBearer(headers: Record<string, string | string[] | undefined>): string {
  const { authorization } = headers;
  if (typeof authorization !== 'string') throw tokenMissing();
  const [scheme, credential, ...rest] = authorization.trim().split(/ +/);
  if (scheme?.toLowerCase() !== 'bearer') throw tokenMissing();
  if (credential === undefined || rest.length > 0) throw tokenInvalid();
  return credential;
}
