import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { MAX_DEVICE_KEYS } from './device-keys.ts';

export const deviceSignatureInvalid = (): Problem =>
  accountsProblem(
    'auth.signature_invalid',
    'This needs a challenge of wallet_type "device", signed by the device key itself.',
    { reason: 'wallet' },
  );

export const tooManyDeviceKeys = (): Problem =>
  accountsProblem('users.limit_exceeded', `Device key limit reached (${MAX_DEVICE_KEYS}). Revoke one first.`, {
    reason: 'device_keys',
  });

export const deviceKeyTaken = (): Problem =>
  accountsProblem('auth.identity_conflict', 'This device key is registered already. Make a new one.', {
    reason: 'device_key_taken',
  });

export const notUsableYet = (usable_from: string | null): Problem =>
  accountsProblem(
    'auth.identity_conflict',
    usable_from === null
      ? 'This account has a wallet. Confirm the new device with the wallet or with another device.'
      : `The waiting time ends at ${usable_from}. Until then, confirm the new device with another device.`,
    { reason: 'device_key_waits' },
  );
