import type { Routes } from '../../platform/http/operation.ts';
import type { googleOperations } from './contract-google.ts';
import type { AuthDeps } from './deps.ts';
import { finishGoogle } from './finish-google.ts';
import type { GoogleDeps } from './google/begin.ts';
import { createIssuer } from './google/issuer.ts';
import { linkGoogle } from './link-google.ts';
import { startGoogle } from './start-google.ts';
import { unlinkGoogle } from './unlink-google.ts';

export const googleRoutes = (deps: GoogleDeps): Routes<typeof googleOperations> => ({
  startGoogle: startGoogle(deps),
  finishGoogle: finishGoogle(deps),
  linkGoogle: linkGoogle(deps),
  unlinkGoogle: unlinkGoogle(deps),
});

export const googleDeps = (auth: AuthDeps): GoogleDeps => ({
  ...auth,
  issuer: createIssuer({ config: auth.config.google, fetch: auth.outbound.fetch, clock: auth.clock }),
});
