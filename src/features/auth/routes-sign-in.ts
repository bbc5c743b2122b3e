import type { Routes } from '../../platform/http/operation.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';

export const signInRoutes = (_deps: AuthDeps): Routes<typeof signInOperations> => ({});
