import { openMigrated } from '../database.ts';
import { vaultCommand as run, VAULT_USAGE } from '../features/sessions/vault/vault-command.ts';
import { systemClock } from '../platform/clock.ts';
import { openSecretKeys } from '../platform/crypto/secret-keys.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';
import { isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const vaultCommand: Command = {
  summary: 'show and replace the secret key that stored secrets are under',
  usage: VAULT_USAGE,
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const { database, data_dir } = await openMigrated(config);
    try {
      const written = config.auth.secret_key;
      const keys = await openSecretKeys({ written, may_make: !isProduction(config), data_dir });
      return await run(argv, process, { db: database.db, clock: systemClock, keys, places: SEALED_COLUMNS });
    } finally {
      await database.close();
    }
  },
};
