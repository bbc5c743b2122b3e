import type { AuthDeps } from '#accounts/auth/deps.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { devicesContract } from './contract.ts';
import { listDevices as readDevices } from './devices.ts';
import { shownDevice } from './shown-device.ts';

/** GET /api/auth/devices */
export const listDevices =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof devicesContract.list> =>
  async ({ caller: { user_id } }) => {
    const devices = await readDevices(db, user_id, isoTime(clock.now()));
    return json({ items: devices.map(shownDevice), total_count: devices.length });
  };
