import { type Handler, json } from '../../platform/http/operation.ts';
import { DELETED } from '../users/deleted.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { deleteDevice as removeDevice } from './devices/devices.ts';
import { noSuchDevice } from './devices/shown-device.ts';

/** DELETE /api/auth/devices/{id} */
export const deleteDevice =
  ({ database: { db } }: Pick<AuthDeps, 'database'>): Handler<typeof signInOperations.deleteDevice> =>
  async ({ caller: { user_id }, params: { id } }) => {
    if (!(await removeDevice(db, user_id, id))) throw noSuchDevice();
    return json(DELETED);
  };
