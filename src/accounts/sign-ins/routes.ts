import type { AuthDeps } from '#accounts/auth/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import type { signInsContract } from './contract.ts';
import { deleteSignIn } from './delete.ts';
import { deleteOtherSignIns } from './delete-others.ts';
import { getSignIn } from './get.ts';
import { getSession } from './get-current.ts';
import { listSignIns } from './list.ts';
import { logOut } from './log-out.ts';
import { refreshToken } from './refresh.ts';

type Deps = Pick<AuthDeps, 'database' | 'clock' | 'ring' | 'tokens' | 'storage'>;

export const signInsRoutes = (deps: Deps): Routes<typeof signInsContract> => ({
  refresh: refreshToken(deps),
  getCurrent: getSession(deps),
  logOut: logOut(deps),
  list: listSignIns(deps),
  get: getSignIn(deps),
  delete: deleteSignIn(deps),
  deleteOthers: deleteOtherSignIns(deps),
});
