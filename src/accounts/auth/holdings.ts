import { listDeviceKeys } from '#accounts/device-keys/device-keys.ts';
import { shownDeviceKey } from '#accounts/device-keys/shown-device-key.ts';
import { listDevices } from '#accounts/devices/devices.ts';
import { shownDevice } from '#accounts/devices/shown-device.ts';
import { forgetTokens } from '#accounts/email/email-tokens.ts';
import { listNetworks } from '#accounts/quotas/account-networks.ts';
import { listEverySignIn } from '#accounts/sign-ins/sign-ins.ts';
import type { Holding } from '#accounts/users/holding.ts';
import { findUser } from '#accounts/users/users.ts';
import { deleteChallengesOf } from '#accounts/wallets/challenges.ts';

/** Personal data of authentication that does not cascade with the account's row. */
export const authHoldings: readonly Holding[] = [
  {
    name: 'sign_ins',
    read: (db, { user_id }) => listEverySignIn(db, user_id),
    // Opening an emailed link locks the link first and then the account.
    release: (trx, { user_id, email }) => forgetTokens(trx, user_id, email),
    erase: async (trx, { wallets }) => {
      for (const wallet of wallets) await deleteChallengesOf(trx, wallet);
    },
  },
  {
    name: 'devices',
    read: async (db, { user_id }) => (await listDevices(db, user_id, '')).map(shownDevice),
  },
  {
    name: 'device_keys',
    read: async (db, { user_id }) => (await listDeviceKeys(db, user_id)).map(shownDeviceKey),
  },
  {
    name: 'unproven_network',
    read: async (db, { user_id }) => (await findUser(db, user_id))?.unproven_network ?? null,
  },
  { name: 'networks', read: (db, { user_id }) => listNetworks(db, user_id) },
];
