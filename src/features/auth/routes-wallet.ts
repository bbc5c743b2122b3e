import type { Routes } from '../../platform/http/operation.ts';
import type { walletOperations } from './contract-wallet.ts';
import type { AuthDeps } from './deps.ts';

export const walletRoutes = (_deps: AuthDeps): Routes<typeof walletOperations> => ({});
