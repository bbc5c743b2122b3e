import { type Handler, json } from '#core/http/operation.ts';
import { DELETED } from '#accounts/users/deleted.ts';
import type { signInOperations } from '#accounts/sign-ins/contract.ts';
import type { AuthDeps } from '#accounts/auth/deps.ts';
import { deleteDevice as removeDevice } from './devices.ts';
import { noSuchDevice } from './shown-device.ts';

/** DELETE /api/auth/devices/{id} */
export const deleteDevice =
  ({ database: { db } }: Pick<AuthDeps, 'database'>): Handler<typeof signInOperations.deleteDevice> =>
  async ({ caller: { user_id }, params: { id } }) => {
    if (!(await removeDevice(db, user_id, id))) throw noSuchDevice();
    return json(DELETED);
  };
