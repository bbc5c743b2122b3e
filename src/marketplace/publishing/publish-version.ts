import type { Kysely } from 'kysely';
import type { Violation } from '#catalog/checks/violation.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { isVersion } from '#catalog/items/version.ts';
import { skeletonOf } from '#catalog/search/text/confusable.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { userShare } from '#core/fair-queue/share.ts';
import type { Origin } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import { licenseFault } from '#core/text/license.ts';
import { type Claim, claimText, type GivenClaim, verifyClaim } from '#marketplace/claims/claim.ts';
import { saveContents } from '#marketplace/listings/contents.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { listingTakenDown } from '#marketplace/listings/listing-gone.ts';
import {
  changeListing,
  findListingNamed,
  insertChanges,
  insertListing,
  insertVersion,
  listVersions,
  nextChange,
} from '#marketplace/listings/listings.ts';
import { licenseMalformed, typeDiffers, versionExists, versionMalformed } from '#marketplace/listings/refusals.ts';
import type { GivenFiles } from '#runtime/skills/checks/given-files.ts';
import { type CheckedFiles, checkFiles } from './check-files.ts';
import { CHECKS_VERSION } from './checks-version.ts';
import { checkLimits } from './limits.ts';
import { checkForm, type FullName, splitName } from './names.ts';
import { publisherFor, refuseAlike } from './owned-names.ts';
import { verifyPublishedLock, withStoredLock } from './rig-lock-files.ts';

/** Publishes one version atomically, for REST and the tool. */

export interface PublishOrder {
  /** `publisher/name`. */
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  files: GivenFiles;
  tags?: readonly string[];
  claim?: GivenClaim;
  /** Validate without saving. */
  dry_run?: boolean;
}

export interface Publishing {
  user_id: string;
  /** May take reserved and confusable names. */
  is_operator: boolean;
  /** Origin of the request. */
  origin?: Origin | undefined;
  /** JSON of the CI workflow that publishes with the account's trust. */
  published_by?: string | undefined;
}

export interface Published {
  /** Null after a dry run. */
  id: string | null;
  checked: CheckedFiles;
  claim: Claim | null;
  claim_text: string;
}

interface Whole extends PublishOrder {
  checked: CheckedFiles;
  claimed: Claim | null;
  names: FullName;
}

export async function publish(deps: MarketplaceDeps, by: Publishing, order: PublishOrder): Promise<Published> {
  const names = splitName(order.name);
  if (!by.is_operator) await refuseAlike(deps, deps.db, names, by.user_id);
  checkForm(names);
  if (!isVersion(order.version)) throw versionMalformed();
  const fault = licenseFault(order.license);
  if (fault !== null) throw licenseMalformed(fault);
  const files = await withStoredLock(deps, by.user_id, order.files);
  const checked = await checkFiles({ ...order, files, name: names.name }, userShare(by.user_id));
  await verifyPublishedLock(deps, by.user_id, { name: order.name, version: order.version, checked });
  const { name, version } = order;
  const claim_text = claimText(deps.base_url, { publisher: names.publisher, name, version, digest: checked.digest });
  const claimed = order.claim === undefined ? null : await verifyClaim(deps, by.user_id, claim_text, order.claim);
  const id = await store(deps, by, { ...order, checked, claimed, names });
  if (id !== null) await Promise.all([deps.published_cache.refresh(), deps.index.refresh()]);
  return { id, checked, claim: claimed, claim_text };
}

const DRY = new Error('Dry run: rolled back.');

/** Null after a dry run, which runs the same transaction and rolls it back. */
async function store(deps: MarketplaceDeps, by: Publishing, order: Whole): Promise<string | null> {
  const storing = deps.db.transaction().execute(async (trx) => {
    const seq = await nextChange(trx);
    const id = await storeVersion(deps, trx, by, order, seq);
    if (order.dry_run === true) throw DRY;
    return id;
  });
  return storing.catch((error: unknown) => {
    if (error === DRY) return null;
    throw error;
  });
}

async function storeVersion(
  deps: MarketplaceDeps,
  trx: Kysely<Schema>,
  by: Publishing,
  { names, version, license, tags = [], checked, claimed }: Whole,
  seq: number,
): Promise<string> {
  const now = isoTime(deps.clock.now());
  if (!by.is_operator) await refuseAlike(deps, trx, names, by.user_id);
  const publisher = await publisherFor(trx, by.user_id, names.publisher, now);
  const known = await findListingNamed(trx, publisher.id, names.name);
  const listing_id = known?.id ?? newId();
  const name = `${names.publisher}/${names.name}`;
  if (known !== undefined && known.taken_down !== null) throw listingTakenDown(known);
  if (known !== undefined && known.listing_type !== checked.listing_type)
    throw typeDiffers(name, known.listing_type, checked.listing_type);
  const same = (await listVersions(trx, [listing_id])).find(
    (publishedVersionRow) => publishedVersionRow.version === version,
  );
  if (same !== undefined) throw versionExists(name, version, same.digest, same.digest === checked.digest);
  await checkLimits(deps, trx, { publisher, is_new: known === undefined, bytes: checked.bytes });
  await deps.storage.require(trx, by.user_id, 'published', checked.bytes);
  const state = { status: 'live', status_reason: '', seq, updated_at: now };
  const { listing_type } = checked;
  if (known !== undefined) await changeListing(trx, listing_id, state);
  else
    await insertListing(trx, {
      id: listing_id,
      publisher_id: publisher.id,
      name: names.name,
      look: skeletonOf(names.name),
      listing_type,
      created_at: now,
      ...state,
    });
  await insertVersion(trx, {
    listing_id,
    version,
    license,
    digest: checked.digest,
    description: storable(checked.description),
    execution_class: checked.execution_class,
    tags: JSON.stringify(tags),
    findings: findingsColumn(checked.findings),
    checked_with: CHECKS_VERSION,
    findings_at: null,
    claim: claimed === null ? null : JSON.stringify(claimed),
    files: JSON.stringify(checked.files),
    bytes: checked.bytes,
    status: 'live',
    status_reason: '',
    status_at: now,
    created_at: now,
    published_by: by.published_by ?? null,
  });
  await saveContents(trx, { listing_id, version }, checked.contents.values());
  await insertChanges(trx, [{ listing_id, seq, version, change: 'publish', actor: 'publisher', reason: '', at: now }]);
  const entry = { actor: by.user_id, origin: by.origin, action: 'marketplace.publish', target: listing_id } as const;
  await recordAudit(trx, { ...entry, detail: { version } }, now);
  return listing_id;
}

const MOST_FINDINGS = 200;

/** Findings as JSON, as stored with a version. */
export const findingsColumn = (findings: readonly Violation[]): string =>
  JSON.stringify(findings.slice(0, MOST_FINDINGS));
