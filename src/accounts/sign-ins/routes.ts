import type { Routes } from '#core/http/operation.ts';
import type { signInOperations } from './contract.ts';
import { deleteDevice } from '#accounts/devices/delete.ts';
import { deleteOtherSignIns } from './delete-others.ts';
import { deleteSignIn } from './delete.ts';
import type { AuthDeps } from '#accounts/auth/deps.ts';
import { getJwks } from '#accounts/oauth/get-jwks.ts';
import { getSession } from './get-current.ts';
import { getSignIn } from './get.ts';
import { listDevices } from '#accounts/devices/list.ts';
import { listSignIns } from './list.ts';
import { logOut } from './log-out.ts';
import { refreshToken } from './refresh.ts';

type Deps = Pick<AuthDeps, 'database' | 'clock' | 'ring' | 'tokens' | 'storage'>;

export const signInRoutes = (deps: Deps): Routes<typeof signInOperations> => ({
  refreshToken: refreshToken(deps),
  getSession: getSession(deps),
  logOut: logOut(deps),
  listSignIns: listSignIns(deps),
  getSignIn: getSignIn(deps),
  deleteSignIn: deleteSignIn(deps),
  deleteOtherSignIns: deleteOtherSignIns(deps),
  listDevices: listDevices(deps),
  deleteDevice: deleteDevice(deps),
  getJwks: getJwks(deps),
});
