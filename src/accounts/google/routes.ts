import type { AuthDeps } from '#accounts/auth/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { GoogleDeps } from './begin.ts';
import type { googleContract } from './contract.ts';
import { finishGoogle } from './finish.ts';
import { createIssuer } from './issuer.ts';
import { linkGoogle } from './link.ts';
import { startGoogle } from './start.ts';
import { unlinkGoogle } from './unlink.ts';

export const googleRoutes = (deps: GoogleDeps): Routes<typeof googleContract> => ({
  start: startGoogle(deps),
  finish: finishGoogle(deps),
  link: linkGoogle(deps),
  unlink: unlinkGoogle(deps),
});

export const googleDeps = (auth: AuthDeps): GoogleDeps => ({
  ...auth,
  issuer: createIssuer({ config: auth.config.google, fetch: auth.outbound.fetch, clock: auth.clock }),
});
