import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { deviceKeysContract } from './contract.ts';
import type { DeviceKeyDeps } from './deps.ts';
import { activateDeviceKey, findDeviceKey } from './device-keys.ts';
import { noticeDevice } from './notice.ts';
import { noSuchDeviceKey, shownDeviceKey } from './shown-device-key.ts';

/** POST /api/auth/device-keys/{id}/confirm */
export const confirmDeviceKey =
  (deps: DeviceKeyDeps): Handler<typeof deviceKeysContract.confirm> =>
  async ({ params: { id }, caller: { user_id }, origin }) => {
    const now = isoTime(deps.clock.now());
    const key = await deps.database.db.transaction().execute(async (trx) => {
      const activated = await activateDeviceKey(trx, user_id, id, now);
      const found = await findDeviceKey(trx, user_id, id);
      if (found === undefined) throw noSuchDeviceKey();
      const detail = { id, how: 'confirmed' };
      if (activated)
        await recordAudit(trx, { actor: user_id, origin, action: 'auth.add_device', target: user_id, detail }, now);
      return { ...found, activated };
    });
    if (key.activated) await noticeDevice(deps, user_id, { about: 'device_added' });
    return json(shownDeviceKey(key));
  };
