import { FEEDBACK_USAGE, feedbackCommand } from '#catalog/search/feedback/feedback-command.ts';
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
  summary:
    'print or verify the security audit log; audit ranking recomputes levels and scores; audit search shows what is searched for',
  usage: `${AUDIT_USAGE}\n\n       capstand ${RANKING_USAGE}\n       capstand ${FEEDBACK_USAGE}`,
  run: ([name, ...argv]) => {
    if (name === 'ranking') return auditRanking(argv);
    const config = readProgramConfig(process.env);
    return withDatabase(config, ({ database: { db } }) =>
      name === 'search'
        ? feedbackCommand(argv, process, { db, now_ms: systemClock.now(), is_on: config.search_feedback.mode === 'on' })
        : run(name === undefined ? argv : [name, ...argv], process, { db }),
    );
  },
};

const auditRanking = (argv: string[]): Promise<number> =>
  withKeys(async ({ database, keys, clock, config }) => {
    const ground = { database, db: database.db, keys, clock, base_url: baseUrl(config) };
    const { receipts, receipt_keys } = openProofs(ground);
    const { deps } = openProof({ ...ground, receipts, jobs: jobTable(database, systemClock), wake: () => {} });
    return rankingCommand(argv, process, { ...deps, keys: await receipt_keys.published(), now_ms: clock.now() });
  });
