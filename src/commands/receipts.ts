import { openMigrated } from '../database.ts';
import { openReceiptKeys } from '../features/receipts/receipt-keys.ts';
import { RECEIPTS_USAGE, receiptsCommand as run } from '../features/receipts/receipts-command.ts';
import { systemClock } from '../platform/clock.ts';
import { openSecretKeys } from '../platform/crypto/secret-keys.ts';
import { isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const receiptsCommand: Command = {
  summary: 'replace the key that signs receipts',
  usage: RECEIPTS_USAGE,
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const { database, data_dir } = await openMigrated(config);
    try {
      const written = config.auth.secret_key;
      const keys = await openSecretKeys({ written, may_make: !isProduction(config), data_dir });
      const deps = { db: database.db, clock: systemClock };
      return await run(argv, process, { ...deps, receipt_keys: openReceiptKeys({ ...deps, keys }) });
    } finally {
      await database.close();
    }
  },
};
