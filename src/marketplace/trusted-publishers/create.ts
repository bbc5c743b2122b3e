import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { TrustedPublisherRow } from '#core/db/schema-publishing.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { nextChange } from '#marketplace/listings/listings.ts';
import type { trustedPublishersContract } from './contract.ts';
import type { Issuer } from './issuers.ts';
import { ownListing } from './own-listing.ts';
import { tooManyTrusted, trustInvalid } from './refusals.ts';
import { trustedOf } from './shapes.ts';
import { countTrusted, insertTrusted, listTrusted } from './trusted-publishers.ts';
import { isRepository, isWorkflow } from './workload.ts';

const MOST_PER_LISTING = 20;

type Create = Handler<typeof trustedPublishersContract.create>;
type Body = Parameters<Create>[0]['body'];

/** POST /api/marketplace/listings/{id}/trusted-publishers */
export const createTrustedPublisher =
  ({ db, clock, limits }: Pick<MarketplaceDeps, 'db' | 'clock' | 'limits'>): Create =>
  async ({ params: { id }, body, caller, origin }) => {
    const listing = await ownListing(db, id, caller);
    const wanted = checked(body, limits.trusted_issuers);
    const row = await db.transaction().execute(async (trx) => {
      // One after the other, so that the limit is exact and the same one is not added twice.
      await nextChange(trx);
      const known = (await listTrusted(trx, listing.id)).find((each) => isSame(each, wanted));
      if (known !== undefined) return known;
      if ((await countTrusted(trx, listing.id)) >= MOST_PER_LISTING) throw tooManyTrusted(MOST_PER_LISTING);
      const now = isoTime(clock.now());
      const added = {
        id: newId(),
        listing_id: listing.id,
        ...wanted,
        owner_id: null,
        created_at: now,
        last_used_at: null,
      };
      await insertTrusted(trx, added);
      const entry = { actor: caller.user_id, origin, action: 'marketplace.trust', target: listing.id } as const;
      await recordAudit(trx, { ...entry, detail: { trusted_publisher: added.id } }, now);
      return added;
    });
    return json(trustedOf(row, limits.trusted_issuers), { status: 201 });
  };

type Wanted = Pick<TrustedPublisherRow, 'issuer' | 'repository' | 'workflow' | 'environment'>;

const isSame = (row: Wanted, { issuer, repository, workflow, environment }: Wanted): boolean =>
  row.issuer === issuer &&
  row.repository === repository &&
  row.workflow === workflow &&
  row.environment === environment;

function checked({ issuer: name, repository, workflow, environment = '' }: Body, issuers: readonly Issuer[]): Wanted {
  const issuer = issuers.find((each) => each.name === name);
  if (issuer === undefined)
    throw trustInvalid('/issuer', `must be one of ${issuers.map((each) => each.name).join(', ')}`);
  if (!isRepository(issuer, repository))
    throw trustInvalid(
      '/repository',
      issuer.kind === 'github' ? 'must be owner/name' : 'must be the path of a project, such as group/name',
    );
  if (!isWorkflow(issuer, workflow))
    throw trustInvalid(
      '/workflow',
      issuer.kind === 'github'
        ? 'must be the name of a file in .github/workflows, such as release.yml'
        : 'must be the path of the CI file, such as .gitlab-ci.yml',
    );
  return { issuer: name, repository, workflow, environment };
}
