import { endSignIns } from '#accounts/sign-ins/end-sign-ins.ts';
import { hasWallet } from '#accounts/users/identities.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { deviceKeysContract } from './contract.ts';
import type { DeviceKeyDeps } from './deps.ts';
import { activateDeviceKey, deleteOtherDeviceKeys, findDeviceKey, isLapsed } from './device-keys.ts';
import { noticeDevice } from './notice.ts';
import { proveDeviceKey } from './prove-device-key.ts';
import { deviceSignatureInvalid, notUsableYet } from './refusals.ts';
import { noSuchDeviceKey, shownDeviceKey } from './shown-device-key.ts';

/** POST /api/auth/device-keys/{id}/finish */
export const finishDeviceKey =
  (deps: DeviceKeyDeps): Handler<typeof deviceKeysContract.finish> =>
  async ({ params: { id }, body, caller, origin, raw_path }) => {
    const { user_id, sign_in_id } = caller;
    const request = { operation: deviceKeysContract.finish.id, target: raw_path, fields: null };
    const address = await proveDeviceKey(deps, caller, body, request);
    const nowMs = deps.clock.now();
    const now = isoTime(nowMs);
    const key = await deps.database.db.transaction().execute(async (trx) => {
      // The other devices may be in the hands of a thief: their keys and sessions end. Locks the account.
      await endSignIns(trx, user_id, sign_in_id, now);
      const found = await findDeviceKey(trx, user_id, id);
      if (found === undefined) throw noSuchDeviceKey();
      if (found.address !== address) throw deviceSignatureInvalid();
      // A wallet that was linked meanwhile has to confirm it.
      const usable_from = (await hasWallet(trx, user_id)) ? null : found.usable_from;
      if (usable_from === null || usable_from > now) throw notUsableYet(usable_from);
      if (isLapsed(usable_from, nowMs)) throw noSuchDeviceKey();
      if (!(await activateDeviceKey(trx, user_id, id, now))) throw noSuchDeviceKey();
      const revoked = await deleteOtherDeviceKeys(trx, user_id, id);
      const detail = { id, how: 'recovered', revoked: revoked.length };
      await recordAudit(trx, { actor: user_id, origin, action: 'auth.add_device', target: user_id, detail }, now);
      return { ...found, active_at: now };
    });
    await noticeDevice(deps, user_id, { about: 'device_recovered' });
    return json(shownDeviceKey(key));
  };
