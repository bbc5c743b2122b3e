import { AUDIT_USAGE, auditCommand as run } from '#core/audit/audit-command.ts';
import { systemClock } from '#core/clock/clock.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { openProof } from '#marketplace/proof/open-proof.ts';
import { RANKING_USAGE, rankingCommand } from '#marketplace/proof/ranking-command.ts';
import { baseUrl } from '../addresses.ts';
import { withDatabase } from '../database.ts';
import { openProofs } from '../proofs.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';
import { withKeys } from './with-keys.ts';

export const auditCommand: Command = {
  summary: 'print or verify the security audit log; audit ranking recomputes levels and scores',
  usage: `${AUDIT_USAGE}\n\n       capstand ${RANKING_USAGE}`,
  run: (argv) =>
    argv[0] === 'ranking'
      ? auditRanking(argv.slice(1))
      : withDatabase(readProgramConfig(process.env), ({ database }) => run(argv, process, { db: database.db })),
};

const auditRanking = (argv: string[]): Promise<number> =>
  withKeys(async ({ database, keys, clock, config }) => {
    const ground = { database, db: database.db, keys, clock, base_url: baseUrl(config) };
    const { receipts, receipt_keys } = openProofs(ground);
    const { deps } = openProof({ ...ground, receipts, jobs: jobTable(database, systemClock), wake: () => {} });
    return rankingCommand(argv, process, { ...deps, keys: await receipt_keys.published(), now_ms: clock.now() });
  });
