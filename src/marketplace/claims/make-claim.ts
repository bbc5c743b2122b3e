import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { findRow } from '#catalog/items/read-items.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityClaimRow } from '#core/db/schema-moderation.ts';
import type { PublisherRow } from '#core/db/schema-publishing.ts';
import type { Origin } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { nextChange } from '#marketplace/listings/listings.ts';
import { type Group, groupOf } from '#marketplace/moderation/group.ts';
import { findPublisherOf } from '#marketplace/publishers/publishers.ts';
import { checkForm } from '#marketplace/publishing/names.ts';
import { publisherFor, refusePublisher } from '#marketplace/publishing/owned-names.ts';
import { insertClaim } from './claims.ts';
import { CLAIM_FILE, isFolder, type Place, placeOf, rawUrl } from './place.ts';
import { folderNeeded, folderUnfit, placeUnclear, publisherNeeded } from './refusals.ts';
import { isShared } from './shared.ts';

/** Starts a claim and returns what its owner has to prove. The claim is public only when it is verified. */

export const CLAIM_METHODS = ['repository_file', 'wallet'] as const;
type ClaimMethod = (typeof CLAIM_METHODS)[number];

interface ClaimOrder {
  id: string;
  method: ClaimMethod;
  /** Required if the account has no publisher name. */
  publisher?: string | undefined;
  /** Folder of the skill, if its repository has several and the listing does not name it. */
  folder?: string | undefined;
}

export interface Claimant {
  user_id: string;
  is_operator: boolean;
  /** Origin of the request. */
  origin?: Origin | undefined;
}

interface MadeClaim {
  claim: CapabilityClaimRow;
  publisher: PublisherRow;
  place: Place;
}

const PENDING_MS = 7 * 86_400_000;

type Deps = Pick<MarketplaceDeps, 'db' | 'clock' | 'well_known' | 'raw_hosts'>;

export async function makeClaim(deps: Deps, by: Claimant, order: ClaimOrder): Promise<MadeClaim> {
  const { db, clock, raw_hosts } = deps;
  const group = await groupOf(db, order.id);
  const listed = await placeIn(db, group, order.folder);
  const own = await findPublisherOf(db, by.user_id);
  const name = order.publisher ?? own?.name;
  if (name === undefined) throw publisherNeeded();
  if (own === undefined) {
    if (!by.is_operator) await refusePublisher(deps.well_known, db, name, by.user_id);
    checkForm({ publisher: name, name: 'any' });
  }
  const now = isoTime(clock.now());
  return db.transaction().execute(async (trx) => {
    // Serializes transactions that take a name.
    if (own === undefined) await nextChange(trx);
    const publisher = await publisherFor(trx, by.user_id, name, now);
    const claim = {
      id: newId(),
      capability_id: group.id,
      publisher_id: publisher.id,
      method: order.method,
      token: `capstan-claim-${randomBytes(20).toString('hex')}`,
      wallet: '',
      signature: '',
      provider_id: listed.provider_id,
      external_id: listed.external_id,
      file_url: rawUrl(raw_hosts, listed.place, CLAIM_FILE),
      status: 'pending',
      created_at: now,
      expires_at: isoTime(clock.now() + PENDING_MS),
      verified_at: null,
      checked_at: null,
      failing_since: null,
      ended_at: null,
    };
    await insertClaim(trx, claim);
    return { claim, publisher, place: listed.place };
  });
}

const NO_FOLDER = 'Its repository has several listings, and the folder of this one is unknown.';

interface ListedPlace {
  provider_id: string;
  external_id: string;
  place: Place;
}

/** The first listing with a source repository. */
async function placeIn(db: Kysely<Schema>, group: Group, folder: string | undefined): Promise<ListedPlace> {
  for (const { provider_id, external_id } of group.members) {
    const row = provider_id === OWN_SOURCE ? undefined : await findRow(db, { provider_id, external_id });
    const place = row === undefined ? null : placeOf(row);
    if (row === undefined || place === null) continue;
    if (place.folder !== '' || !(await isShared(db, place, row.repository, group.id)))
      return { provider_id, external_id, place };
    // Without a separate folder, it cannot be distinguished from the others.
    if (row.listing_type !== 'skill') throw placeUnclear(NO_FOLDER);
    if (folder === undefined) throw folderNeeded();
    if (!isFolder(folder) || folder === '') throw folderUnfit();
    return { provider_id, external_id, place: { ...place, folder } };
  }
  throw placeUnclear('None of its listings has a repository on GitHub or GitLab.');
}
