import { DELETED } from '#accounts/users/deleted.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { deviceKeysContract } from './contract.ts';
import type { DeviceKeyDeps } from './deps.ts';
import { removeDeviceKey } from './remove-device-key.ts';

/** DELETE /api/auth/device-keys/{id} */
export const revokeDeviceKey =
  (deps: Pick<DeviceKeyDeps, 'database' | 'clock'>): Handler<typeof deviceKeysContract.revoke> =>
  async ({ params: { id }, caller: { user_id }, origin }) => {
    await removeDeviceKey(deps, { actor: user_id, origin }, { id, waiting: false });
    return json(DELETED);
  };
