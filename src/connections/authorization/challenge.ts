import type { Connection } from '#connections/connections/connection.ts';
import type { Carried } from '#connections/connections/seams.ts';
import { withMcpSession } from '#core/mcp/session.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { signInUnsupported } from './problems.ts';
import type { Sdk } from './sdk.ts';

/** The contents of `WWW-Authenticate`. */
export interface AuthChallenge {
  metadata_url: URL | undefined;
  scope: string | undefined;
  error: string | undefined;
}

const NOTHING: AuthChallenge = { metadata_url: undefined, scope: undefined, error: undefined };
const MOST_SCOPE_CHARS = 2_048;

export function readChallenge(sdk: Sdk, www_authenticate: string | null): AuthChallenge {
  if (www_authenticate === null) return NOTHING;
  const headers = { 'www-authenticate': www_authenticate };
  const { resourceMetadataUrl, scope, error } = sdk.extractWWWAuthenticateParams(new Response(null, { headers }));
  return { metadata_url: resourceMetadataUrl, scope: scope?.slice(0, MOST_SCOPE_CHARS), error };
}

const LIMITS = { timeout_ms: 10_000, max_bytes: 1024 * 1024 };

/** Sends requests without a token, in both protocol eras, to get the challenge. */
export async function provokeChallenge(
  { sdk, fetch }: { sdk: Sdk; fetch: OutboundFetch },
  { transport, package: launch }: Pick<Connection, 'transport' | 'package'>,
  { url, headers }: Carried,
): Promise<AuthChallenge> {
  if (launch !== null || transport === 'stdio') throw signInUnsupported();
  let found: string | null = null;
  const listening: OutboundFetch = async (address, init) => {
    const answer = await fetch(address, init);
    if (answer.status === 401 || answer.status === 403) found ??= answer.headers.get('www-authenticate');
    return answer;
  };
  await withMcpSession(listening, { url, transport, headers }, LIMITS, null, (session) => session.listTools());
  return readChallenge(sdk, found);
}
