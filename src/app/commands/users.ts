import { normalAddress } from '#accounts/email/address.ts';
import { endSignIns } from '#accounts/sign-ins/end-sign-ins.ts';
import type { NameForms } from '#accounts/users/find-user-named.ts';
import { usersCommand as run, USERS_USAGE } from '#accounts/users/users-command.ts';
import { canonicalAddress, createWallets, WALLET_TYPES } from '#accounts/wallets/wallets.ts';
import { systemClock } from '#core/clock/clock.ts';
import { Problem } from '#core/problem/problem.ts';
import { withDatabase } from '../database.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const usersCommand: Command = {
  summary: 'list users, set tiers, revoke sessions, manage operators',
  run: async (argv) => {
    if (argv.length === 0 || argv.some((text) => text === '--help' || text === '-h')) {
      process.stdout.write(USERS_USAGE);
      return argv.length === 0 ? 2 : 0;
    }
    return withDatabase(readProgramConfig(process.env), ({ database }) =>
      run(argv, process, {
        db: database.db,
        clock: systemClock,
        forms: { normalEmail: normalAddress, walletsNamed },
        endSignIns: (trx, userId, now) => endSignIns(trx, userId, null, now),
      }),
    );
  },
};

const canonical = canonicalAddress(createWallets({ config: { ethereum_rpc_url: null } }));

/** In the canonical form of each type that accepts the text as an address. */
const walletsNamed: NameForms['walletsNamed'] = async (text) => {
  const forms = await Promise.all(WALLET_TYPES.map((walletType) => formOf(walletType, text)));
  return forms.filter((form) => form !== null);
};

async function formOf(wallet_type: string, text: string) {
  try {
    return { wallet_type, address: await canonical(wallet_type, text) };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
