import type { Routes } from '../../platform/http/operation.ts';
import type { toolsContract } from './contract-tools.ts';
import type { SessionsDeps } from './deps.ts';

export const toolsRoutes = (_deps: SessionsDeps): Routes<typeof toolsContract> => ({});
