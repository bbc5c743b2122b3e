import { DELETED } from '#accounts/users/deleted.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { deviceKeysContract } from './contract.ts';
import type { DeviceKeyDeps } from './deps.ts';
import { removeDeviceKey } from './remove-device-key.ts';

/** POST /api/auth/device-keys/{id}/reject */
export const rejectDeviceKey =
  (deps: Pick<DeviceKeyDeps, 'database' | 'clock'>): Handler<typeof deviceKeysContract.reject> =>
  async ({ params: { id }, caller: { user_id }, origin }) => {
    await removeDeviceKey(deps, { actor: user_id, origin }, { id, waiting: true });
    return json(DELETED);
  };
