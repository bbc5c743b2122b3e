import { openMigrated } from '../database.ts';
import { openProof } from '../features/marketplace/proof/open-proof.ts';
import { RANKING_USAGE, rankingCommand } from '../features/marketplace/proof/ranking-command.ts';
import { auditCommand as run } from '../features/users/audit-command.ts';
import { baseUrl, openProofs, ownersOf } from '../parts.ts';
import { systemClock } from '../platform/clock.ts';
import { openSecretKeys } from '../platform/crypto/secret-keys.ts';
import { jobTable } from '../platform/jobs/jobs.ts';
import { isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const auditCommand: Command = {
  summary: 'print what operators did and whose data they looked at; audit ranking computes levels and scores anew',
  usage: `audit [--user ID] [--since TIME] [--json]\n       capstand ${RANKING_USAGE}`,
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const { database, data_dir } = await openMigrated(config);
    try {
      if (argv[0] !== 'ranking') return await run(argv, process, { db: database.db });
      const written = config.auth.secret_key;
      const keys = await openSecretKeys({ written, may_make: !isProduction(config), data_dir });
      const ground = { db: database.db, database, keys, clock: systemClock, base_url: baseUrl(config) };
      const { receipts, receipt_keys } = openProofs(ground);
      const jobs = jobTable(database, systemClock);
      const { deps } = openProof({ ...ground, receipts, jobs, ownersOf: ownersOf(database), wake: () => {} });
      const now_ms = systemClock.now();
      return await rankingCommand(argv.slice(1), process, { ...deps, keys: await receipt_keys.published(), now_ms });
    } finally {
      await database.close();
    }
  },
};
