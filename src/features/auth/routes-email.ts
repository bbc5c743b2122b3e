import type { Routes } from '../../platform/http/operation.ts';
import type { emailOperations } from './contract-email.ts';
import type { AuthDeps } from './deps.ts';

export const emailRoutes = (_deps: AuthDeps): Routes<typeof emailOperations> => ({});
