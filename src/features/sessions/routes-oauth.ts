import type { Routes } from '../../platform/http/operation.ts';
import type { oauthContract } from './contract-oauth.ts';
import type { SessionsDeps } from './deps.ts';

export const oauthRoutes = (_deps: SessionsDeps): Routes<typeof oauthContract> => ({});
