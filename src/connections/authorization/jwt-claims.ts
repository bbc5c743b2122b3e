/** The claims of a JWT, not verified. Empty for any other token. Pure. */
export function jwtClaims(token: string): Record<string, unknown> {
  const [, payload, signature] = token.split('.', 3);
  if (payload === undefined || signature === undefined) return {};
  try {
    return Object(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  } catch {
    return {};
  }
}
