import { tokenInvalid } from '#accounts/auth/refusals.ts';
import { listIdentities } from '#accounts/users/identities.ts';
import { lockUser } from '#accounts/users/users.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { signedFields } from '#core/http/signed-fields.ts';
import { newId } from '#core/ids.ts';
import { deviceKeysContract } from './contract.ts';
import type { DeviceKeyDeps } from './deps.ts';
import { addDeviceKey, type DeviceKey, listDeviceKeys, MAX_DEVICE_KEYS, removeUnanswered } from './device-keys.ts';
import { noticeDevice } from './notice.ts';
import { proveDeviceKey } from './prove-device-key.ts';
import { deviceKeyTaken, tooManyDeviceKeys } from './refusals.ts';
import { shownDeviceKey } from './shown-device-key.ts';

/** POST /api/auth/device-keys */
export const registerDeviceKey =
  (deps: DeviceKeyDeps): Handler<typeof deviceKeysContract.register> =>
  async ({ body, caller, origin, raw_path }) => {
    const { name, challenge_id, signature, wallet_address } = body;
    const { id: operation } = deviceKeysContract.register;
    const request = { operation, target: raw_path, fields: signedFields(deviceKeysContract.register, body) };
    const address = await proveDeviceKey(deps, caller, { challenge_id, signature, wallet_address }, request);
    const { user_id } = caller;
    const nowMs = deps.clock.now();
    const now = isoTime(nowMs);
    const key = await deps.database.db.transaction().execute(async (trx) => {
      if (!(await lockUser(trx, user_id))) throw tokenInvalid();
      await removeUnanswered(trx, user_id, nowMs);
      const [keys, { wallets }] = await Promise.all([listDeviceKeys(trx, user_id), listIdentities(trx, user_id)]);
      if (keys.length >= MAX_DEVICE_KEYS) throw tooManyDeviceKeys();
      const isFirst = wallets.length === 0 && keys.every(({ active_at }) => active_at === null);
      const added: DeviceKey = {
        id: newId(),
        user_id,
        address,
        name,
        created_at: now,
        // A wallet is stronger than a mailbox, so waiting never replaces its confirmation.
        usable_from: isFirst || wallets.length > 0 ? null : isoTime(nowMs + deps.config.device_key_wait_ms),
        active_at: isFirst ? now : null,
        last_used_at: null,
      };
      if (!(await addDeviceKey(trx, added))) throw deviceKeyTaken();
      const detail = { id: added.id, how: isFirst ? 'first' : 'requested' };
      await recordAudit(trx, { actor: user_id, origin, action: 'auth.add_device', target: user_id, detail }, now);
      return added;
    });
    const { active_at, usable_from } = key;
    await noticeDevice(
      deps,
      user_id,
      active_at === null ? { about: 'device_waiting', usable_from } : { about: 'device_added' },
    );
    return json(shownDeviceKey(key), { status: 201 });
  };
