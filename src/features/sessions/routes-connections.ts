import type { Routes } from '../../platform/http/operation.ts';
import type { connectionsContract } from './contract-connections.ts';
import type { SessionsDeps } from './deps.ts';

export const connectionsRoutes = (_deps: SessionsDeps): Routes<typeof connectionsContract> => ({});
