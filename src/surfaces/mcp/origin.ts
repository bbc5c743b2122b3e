import { coreProblem } from '#core/errors.ts';
import { isLoopbackHost } from '#core/outbound/loopback.ts';

/**
 * Refuses pages of other sites, which could reach this endpoint through DNS rebinding. Clients other than browsers send
 * no Origin.
 */

interface OriginOptions {
  base_url: string;
  allowed_origins: readonly string[];
  /** Outside production, local pages are allowed, such as a client in the browser on another port. */
  production: boolean;
}

export function originCheck({ base_url, allowed_origins, production }: OriginOptions) {
  const ours = new Set([new URL(base_url).origin, ...allowed_origins]);
  return (origin: string | undefined): void => {
    if (origin === undefined || ours.has(origin)) return;
    if (!production && isLoopbackHost(URL.parse(origin)?.hostname ?? '')) return;
    throw coreProblem('http.forbidden', 'Origin not allowed. The operator can add it to CAPSTAN_ALLOWED_ORIGINS.', {
      reason: 'origin',
    });
  };
}
