import { type Handler, json } from '#core/http/operation.ts';
import type { deviceKeysContract } from './contract.ts';
import type { DeviceKeyDeps } from './deps.ts';
import { renameDeviceKey as rename } from './device-keys.ts';
import { noSuchDeviceKey, shownDeviceKey } from './shown-device-key.ts';

/** PATCH /api/auth/device-keys/{id} */
export const renameDeviceKey =
  ({ database: { db } }: Pick<DeviceKeyDeps, 'database'>): Handler<typeof deviceKeysContract.rename> =>
  async ({ params: { id }, body: { name }, caller: { user_id } }) => {
    const key = await rename(db, user_id, id, name);
    if (key === undefined) throw noSuchDeviceKey();
    return json(shownDeviceKey(key));
  };
