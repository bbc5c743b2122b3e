import type { AuthDeps } from '#accounts/auth/deps.ts';
import { DELETED } from '#accounts/users/deleted.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { devicesContract } from './contract.ts';
import { deleteDevice as removeDevice } from './devices.ts';
import { noSuchDevice } from './shown-device.ts';

/** DELETE /api/auth/devices/{id} */
export const deleteDevice =
  ({ database: { db } }: Pick<AuthDeps, 'database'>): Handler<typeof devicesContract.delete> =>
  async ({ caller: { user_id }, params: { id } }) => {
    if (!(await removeDevice(db, user_id, id))) throw noSuchDevice();
    return json(DELETED);
  };
