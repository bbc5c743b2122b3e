import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { DeviceKey } from './device-keys.ts';

export const shownDeviceKey = ({ id, name, address, created_at, usable_from, active_at, last_used_at }: DeviceKey) => ({
  id,
  name,
  address,
  status: active_at === null ? ('waiting' as const) : ('active' as const),
  created_at,
  usable_from: active_at === null ? usable_from : null,
  last_used_at,
});

export const noSuchDeviceKey = (): Problem =>
  accountsProblem('auth.not_found', 'Device key not found.', { reason: 'device_key' });
