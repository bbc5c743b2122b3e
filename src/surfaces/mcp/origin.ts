import { isLoopbackHost } from '#core/outbound/loopback.ts';
import { Problem } from '#core/problem/problem.ts';

/**
 * Pages of other sites may not speak to this endpoint: a name that is made to point here would let them (DNS
 * rebinding). Clients that are no browsers send no Origin.
 */

export interface OriginOptions {
  base_url: string;
  allowed_origins: readonly string[];
  /** Elsewhere pages of this machine, such as a client in the browser on another port, are let in. */
  production: boolean;
}

export function originCheck({ base_url, allowed_origins, production }: OriginOptions) {
  const ours = new Set([new URL(base_url).origin, ...allowed_origins]);
  return (origin: string | undefined): void => {
    if (origin === undefined || ours.has(origin)) return;
    if (!production && isLoopbackHost(URL.parse(origin)?.hostname ?? '')) return;
    throw new Problem(
      'forbidden',
      'mcp.origin_refused',
      'Origin not allowed. The operator can add it to CAPSTAN_ALLOWED_ORIGINS.',
    );
  };
}
