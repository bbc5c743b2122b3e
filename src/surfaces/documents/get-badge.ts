import type { Kysely } from 'kysely';
import { catalogProblem } from '#catalog/errors.ts';
import { findRow } from '#catalog/items/read-items.ts';
import {
  isHeldAgainst,
  type ReadVerification,
  type Verification,
  verificationOfOne,
} from '#catalog/items/verification.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { shortNumber } from '#core/text/short-number.ts';
import { badge, type Metric, shieldsBadge } from './badge.ts';
import type { documentsContract } from './contract.ts';

interface BadgeDeps {
  db: Kysely<Schema>;
  verification: ReadVerification;
}

/** GET /badges/{provider}/{id} */
export const getBadge =
  ({ db, verification }: BadgeDeps): Handler<typeof documentsContract.getBadge> =>
  async ({ params: { provider, id }, query }) => {
    const [, external_id = '', form] = /^(.*)\.(svg|json)$/s.exec(id) ?? [];
    // No id contains NUL, and PostgreSQL rejects it in a query.
    const asked = external_id !== '' && !external_id.includes('\0');
    const row = asked ? await findRow(db, { provider_id: provider, external_id }) : undefined;
    if (row === undefined || row.removed_at !== null)
      throw catalogProblem(
        'registry.not_found',
        `${provider} has no listing with this id. Badge URLs have the form /badges/${provider}/<id>.svg or <id>.json.`,
      );
    const shown = await shownOf(query.show, row, verification);
    const cache_control = 'public, max-age=300';
    if (form === 'json') return json(shieldsBadge(query.show, shown), { cache_control });
    return {
      media_type: 'image/svg+xml; charset=utf-8',
      body: badge(query.show, shown),
      cache_control,
      // A badge opened directly is a document, which may load nothing.
      headers: { 'content-security-policy': "default-src 'none'" },
    };
  };

const shownOf = async (show: Metric, row: ListingRow, verification: ReadVerification): Promise<string> =>
  show === 'verification' ? levelOf(await verificationOfOne(verification, row)) : VALUES[show](row);

const levelOf = (found: Verification): string => (isHeldAgainst(found) ? 'flagged' : found.level);

const VALUES: Record<Exclude<Metric, 'verification'>, (row: ListingRow) => string> = {
  downloads: ({ downloads, reported }) => numberOf(downloads, reported, 'downloads'),
  stars: ({ stars, reported }) => numberOf(stars, reported, 'stars'),
  version: ({ version }) => version,
};

const numberOf = (value: number, reported: string, name: 'downloads' | 'stars'): string =>
  value > 0 || (JSON.parse(reported) as Record<string, boolean>)[name] === true ? shortNumber(value) : 'not reported';
