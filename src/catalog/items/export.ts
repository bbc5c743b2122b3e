import { readSeq } from '#catalog/changes/changes.ts';
import { databaseIdentity } from '#catalog/changes/database-identity.ts';
import { catalogProblem } from '#catalog/errors.ts';
import type { Handler } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { itemsContract } from './contract.ts';
import { deltaLines, type ExportDeps, snapshotLines } from './export-lines.ts';

/** GET /api/marketplace/registry/export */
export const exportItems =
  (deps: ExportDeps): Handler<typeof itemsContract.export> =>
  async ({ query: { since } }) => {
    const { db } = deps;
    // Read before the first row, so that changes during the response are in the next delta.
    const { current, purged } = await readSeq(db);
    if (since !== undefined && (since < purged || since > current)) throw expired(since, purged, current);
    const identity = await databaseIdentity(db);
    return {
      media_type: 'application/x-ndjson; charset=utf-8',
      body: since === undefined ? snapshotLines(deps) : deltaLines(deps, since),
      etag: `${identity}-${since === undefined ? '' : `${since}-`}${current}`,
      headers: { 'x-capstan-seq': String(current) },
    };
  };

const expired = (since: number, purged: number, current: number): Problem =>
  catalogProblem(
    'registry.gone',
    `Changes are available from ${purged} to ${current}, not from ${since}. Fetch the full export and continue from its X-Capstan-Seq.`,
    { reason: 'changes_expired' },
  );
