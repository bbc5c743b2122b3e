import { isProblem, Problem } from '#core/problem/problem.ts';

/**
 * A page where the owner of a connection signs in at its server or stores its credentials. The link has no secret: any browser
 * that is signed in as the owner can use it, or signs in first. So it can be shown by a model, a client or a terminal
 * anywhere, while the URL of an authorization is bound to the browser or program that asked for it.
 */
export const signInLink = (base_url: string, connection_id: string): string =>
  `${base_url}/dashboard/connections/${encodeURIComponent(connection_id)}#sign-in`;

/** Adds the link to a failure that says that the connection must be authorized. */
export function withSignInLink(error: unknown, base_url: string, connection_id: string): unknown {
  if (!isProblem(error, 'connections.authorization_required')) return error;
  const { kind, code, message, headers, extensions } = error;
  const sign_in_url = signInLink(base_url, connection_id);
  const detail = `${message} In a browser: ${sign_in_url}`;
  return new Problem(kind, code, detail, { cause: error, headers, extensions: { ...extensions, sign_in_url } });
}
