import { openMigrated } from '../database.ts';
import { openKeyRing } from '../features/auth/tokens/key-ring.ts';
import { tokensCommand as run, TOKENS_USAGE } from '../features/auth/tokens/tokens-command.ts';
import { systemClock } from '../platform/clock.ts';
import { openSecretKeys } from '../platform/crypto/secret-keys.ts';
import { isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const tokensCommand: Command = {
  summary: 'replace the key that signs tokens',
  usage: TOKENS_USAGE,
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const { database, data_dir } = await openMigrated(config);
    try {
      const { secret_key, token_key_rotation_ms } = config.auth;
      const keys = await openSecretKeys({ written: secret_key, may_make: !isProduction(config), data_dir });
      const { db } = database;
      const ring = openKeyRing({ db, keys, clock: systemClock, rotation_ms: token_key_rotation_ms });
      return await run(argv, process, { db, clock: systemClock, ring });
    } finally {
      await database.close();
    }
  },
};
