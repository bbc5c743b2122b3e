import { removeOldest } from '#core/db/remove-oldest.ts';
import { type Expiry, expiryKind, scheduleExpiry } from '#core/jobs/expiry.ts';
import type { JobTable } from '#core/jobs/jobs.ts';

/** Deletes old closed reports. Decisions stay in the public history. */

const EXPIRE_REPORTS = 'marketplace.expire_reports';
const REPORTS = { table: 'capability_reports', key: ['id'], time: 'closed_at' } as const;

export const expireReportsKind = ({
  db,
  clock,
  report_retention_ms,
  batch = 500,
}: Pick<Expiry, 'db' | 'clock'> & { report_retention_ms: number; batch?: number }) =>
  expiryKind({
    kind: EXPIRE_REPORTS,
    db,
    clock,
    kept_ms: report_retention_ms,
    batch,
    remove: (trx, before, most) => removeOldest(trx, REPORTS, before, most),
  });

export const scheduleExpireReports = (jobs: Pick<JobTable, 'put'>): Promise<void> =>
  scheduleExpiry(jobs, EXPIRE_REPORTS);
