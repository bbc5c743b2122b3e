import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Origin } from '#core/http/operation.ts';
import type { DeviceKeyDeps } from './deps.ts';
import { deleteDeviceKey } from './device-keys.ts';
import { noSuchDeviceKey } from './shown-device-key.ts';

/** `waiting`: rejects a request, and leaves an active key alone. */
export async function removeDeviceKey(
  { database: { db }, clock }: Pick<DeviceKeyDeps, 'database' | 'clock'>,
  { actor, origin }: { actor: string; origin: Origin },
  { id, waiting }: { id: string; waiting: boolean },
): Promise<void> {
  const now = isoTime(clock.now());
  await db.transaction().execute(async (trx) => {
    if (!(await deleteDeviceKey(trx, actor, { id, waiting }))) throw noSuchDeviceKey();
    const detail = { id, how: waiting ? 'rejected' : 'revoked' };
    await recordAudit(trx, { actor, origin, action: 'auth.revoke_device', target: actor, detail }, now);
  });
}
