import type { Routes } from '../../platform/http/operation.ts';
import type { signInOperations } from './contract-sign-in.ts';
import { deleteDevice } from './delete-device.ts';
import { deleteOtherSignIns } from './delete-other-sign-ins.ts';
import { deleteSignIn } from './delete-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { getJwks } from './get-jwks.ts';
import { getSession } from './get-session.ts';
import { getSignIn } from './get-sign-in.ts';
import { listDevices } from './list-devices.ts';
import { listSignIns } from './list-sign-ins.ts';
import { logOut } from './log-out.ts';
import { refreshToken } from './refresh-token.ts';

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
