import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Device } from './devices.ts';

/** A device as its owner sees it, without its token. */
export const shownDevice = ({ id, user_agent, created_at, last_used_at, expires_at }: Device) => ({
  id,
  user_agent,
  created_at,
  last_used_at,
  expires_at,
});

export const noSuchDevice = (): Problem => accountsProblem('auth.not_found', 'Device not found.', { reason: 'device' });
