import type { Routes } from '../../platform/http/operation.ts';
import type { googleOperations } from './contract-google.ts';
import type { AuthDeps } from './deps.ts';

export const googleRoutes = (_deps: AuthDeps): Routes<typeof googleOperations> => ({});
