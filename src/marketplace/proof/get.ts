import type { Static } from 'typebox';
import { type Handler, json } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { ProofShape, proofContract } from './contract.ts';
import { proofsOf } from './proofs.ts';
import { lastRuns } from './runs.ts';

/** GET /api/marketplace/proof/{subject} */
export const getProof =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof proofContract.get> =>
  async ({ params: { subject } }) => {
    // PostgreSQL rejects NUL, and no subject contains it.
    const [proofs, runs] = subject.includes('\0')
      ? [[], []]
      : await Promise.all([proofsOf(db, [subject]), lastRuns(db, subject, MOST_RECEIPTS)]);
    if (proofs.length === 0 && runs.length === 0) throw notFound();
    const answer: Static<typeof ProofShape> = {
      subject,
      versions: proofs
        .toSorted((a, b) => (a.last_run_at < b.last_run_at ? 1 : -1))
        .map(({ version, pin, level, levels, runs, completed, callers, last_run_at }) => ({
          version,
          sha256: pin,
          level: level as 'ran',
          levels: JSON.parse(levels),
          runs: Number(runs),
          completed: Number(completed),
          callers: Number(callers),
          last_run_at,
        })),
      receipts: runs.map(({ receipt_id: id, version, at, outcome, caller, user_id }) => ({
        id,
        version,
        at,
        outcome: outcome as 'completed',
        by: caller === 'user' ? (user_id === null ? 'nobody' : 'account') : (caller as 'service'),
        href: `/api/receipts/${id}`,
      })),
    };
    return json(answer);
  };

const MOST_RECEIPTS = 50;

const notFound = (): Problem =>
  marketplaceProblem(
    'marketplace.not_found',
    'No runs of this subject within 90 days. A subject is skill/<name>, listing/<provider>/<external_id> or capability/<id>.',
    { reason: 'proof' },
  );
