import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import type { signInOperations } from './contract-sign-in.ts';
import type { AuthDeps } from './deps.ts';
import { listDevices as readDevices } from './devices/devices.ts';
import { shownDevice } from './devices/shown-device.ts';

/** GET /api/auth/devices */
export const listDevices =
  ({ database: { db }, clock }: Pick<AuthDeps, 'database' | 'clock'>): Handler<typeof signInOperations.listDevices> =>
  async ({ caller: { user_id } }) => {
    const devices = await readDevices(db, user_id, isoTime(clock.now()));
    return json({ items: devices.map(shownDevice), total_count: devices.length });
  };
