import type { Routes } from '../../platform/http/operation.ts';
import type { credentialsContract } from './contract-credentials.ts';
import type { SessionsDeps } from './deps.ts';

export const credentialsRoutes = (_deps: SessionsDeps): Routes<typeof credentialsContract> => ({});
