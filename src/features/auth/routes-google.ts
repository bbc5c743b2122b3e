import type { Routes } from '../../platform/http/operation.ts';
import type { googleOperations } from './contract-google.ts';
import type { AuthDeps } from './deps.ts';
import { finishGoogle } from './finish-google.ts';
import { createIssuer } from './google/issuer.ts';
import { linkGoogle } from './link-google.ts';
import { startGoogle } from './start-google.ts';
import { unlinkGoogle } from './unlink-google.ts';

export function googleRoutes(auth: AuthDeps): Routes<typeof googleOperations> {
  const issuer = createIssuer({ config: auth.config.google, fetch: auth.outbound.fetch, clock: auth.clock });
  const deps = { ...auth, issuer };
  return {
    startGoogle: startGoogle(deps),
    finishGoogle: finishGoogle(deps),
    linkGoogle: linkGoogle(deps),
    unlinkGoogle: unlinkGoogle(deps),
  };
}
