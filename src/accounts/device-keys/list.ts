import { type Handler, json } from '#core/http/operation.ts';
import type { deviceKeysContract } from './contract.ts';
import type { DeviceKeyDeps } from './deps.ts';
import { listDeviceKeys as readDeviceKeys } from './device-keys.ts';
import { shownDeviceKey } from './shown-device-key.ts';

/** GET /api/auth/device-keys */
export const listDeviceKeys =
  ({ database: { db } }: Pick<DeviceKeyDeps, 'database'>): Handler<typeof deviceKeysContract.list> =>
  async ({ caller: { user_id } }) => {
    const keys = await readDeviceKeys(db, user_id);
    return json({ items: keys.map(shownDeviceKey), total_count: keys.length });
  };
