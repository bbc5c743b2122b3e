import { vaultCommand as run, VAULT_USAGE } from '#connections/vault/vault-command.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';
import type { Command } from './command.ts';
import { withKeys } from './with-keys.ts';

export const vaultCommand: Command = {
  summary: 'show and rotate the secret key that encrypts stored secrets',
  usage: VAULT_USAGE,
  run: (argv) => withKeys(({ db, clock, keys }) => run(argv, process, { db, clock, keys, places: SEALED_COLUMNS })),
};
