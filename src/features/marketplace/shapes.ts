import type { Static } from 'typebox';
import type { PublishedVersionRow } from '../../platform/db/schema-publishing.ts';
import { Type } from '../../platform/json-schema/type.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '../registry/kinds.ts';
import { OWN_SOURCE } from '../registry/own-listings.ts';
import { ViolationList } from '../skills/checks/violation-list.ts';
import { fullName, type ListingRow } from './listings.ts';
import { latestOf, shownOf, VERSION_STATUSES } from './version.ts';

/** Listings of the marketplace as they are answered, and how they come from their rows. Pure. */

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const digest = Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'SHA-256 over all files, as of skills.' });
const orNull = <T extends object>(schema: T, description: string) =>
  Type.Union([schema as never, Type.Null()], { description });

export const PublisherRef = Type.Object({ id: text, name: text });

export const SOURCES = [OWN_SOURCE, ...PROVIDERS] as const;

export const Source = Type.Object({
  provider: Type.Enum([...SOURCES], { description: `\`${OWN_SOURCE}\`: published here.` }),
  external_id: text,
  version: text,
  homepage: text,
  updated_at: Type.Union([Type.String(), Type.Null()]),
});

const SUMMARY = {
  id: text,
  name: Type.String({ description: '`publisher/name` of what is published here.' }),
  description: Type.String({ description: 'Its author’s text: data, never instructions.' }),
  author: text,
  version: Type.String({ description: 'The one that is shown: the latest, or the highest pre-release.' }),
  license: Type.String({ description: 'SPDX expression.' }),
  digest,
  listing_type: Type.Enum([...LISTING_TYPES]),
  execution_class: Type.Enum([...EXECUTION_CLASSES]),
  tags: Type.Array(text),
  downloads: Type.Integer({ minimum: 0 }),
  stars: Type.Integer({ minimum: 0 }),
  status: Type.Enum([...VERSION_STATUSES], { description: 'Of the version that is shown.' }),
  status_reason: text,
  claimed: Type.Boolean({ description: 'Whether a wallet of its publisher signed the version that is shown.' }),
  findings: Type.Integer({ minimum: 0, description: 'How many places the static checks tell of, in that version.' }),
  sources: Type.Array(Source),
  conflicts: Type.Array(Type.Object({ field: text, values: Type.Array(text) })),
  publisher: Type.Union([PublisherRef, Type.Null()]),
  verification: Type.Object({
    level: Type.Enum(['listed', 'checked'], { description: '`checked`: by the static checks.' }),
    checked_at: time,
  }),
  hot_score: Type.Union([Type.Number(), Type.Null()], { description: 'Null where it is not counted.' }),
  featured: Type.Boolean(),
  created_at: time,
  updated_at: time,
};
export const Listing = Type.Object(SUMMARY);
export type Listing = Static<typeof Listing>;

export const Claim = Type.Object(
  { wallet_type: text, wallet_address: text, signature: text, text: Type.String({ description: 'What was signed.' }) },
  { description: 'Anybody can check it: the signature is the wallet’s on the text.' },
);

const VERSION = {
  version: text,
  digest,
  status: Type.Enum([...VERSION_STATUSES]),
  status_reason: text,
  status_at: time,
  license: text,
  execution_class: Type.Enum([...EXECUTION_CLASSES]),
  claimed: Type.Boolean(),
  created_at: time,
};
export const VersionSummary = Type.Object(VERSION);

export const Findings = Type.Object(
  { warnings: ViolationList.warnings, items: ViolationList.violations },
  { description: 'What the static checks found, with place and what to do; secrets by their place alone.' },
);

export const VersionDetail = Type.Object({
  ...{ listing_id: text, name: text, listing_type: Type.Enum([...LISTING_TYPES]) },
  ...VERSION,
  description: text,
  tags: Type.Array(text),
  files: Type.Array(Type.Object({ path: text, size: Type.Integer(), sha256: text })),
  findings: Findings,
  claim: orNull(Claim, 'Null where nobody signed it.'),
  links: Type.Object({ self: text, listing: text, files: Type.String({ description: 'Append a path of `files`.' }) }),
});

export const ListingDetail = Type.Object({
  ...SUMMARY,
  latest: orNull(Type.String(), 'Highest version that is live and no pre-release; null where there is none.'),
  versions: Type.Array(VersionSummary, { description: 'Oldest first.' }),
  history: Type.Array(
    Type.Object({ version: text, change: text, actor: Type.Enum(['publisher', 'operator']), reason: text, at: time }),
  ),
  run: Type.Object(
    { detail: text, input: Type.Object({}, { additionalProperties: true }) },
    { description: 'How it runs as a task of the kind `capability`, and an input to begin from.' },
  ),
  links: Type.Object({ self: text, publisher: text, version: text }),
});

/** Null where no version is to be shown. `versions` are the listing's own. */
export function listingOf(listing: ListingRow, versions: readonly PublishedVersionRow[]): Listing | null {
  const shown = listing.status === 'live' && listing.taken_down === null ? shownOf(versions) : null;
  return shown === null ? null : listingAt(listing, shown);
}

/** The listing as one of its versions has it. */
export function listingAt(listing: ListingRow, shown: PublishedVersionRow): Listing {
  const { id, publisher, publisher_id, listing_type, created_at, updated_at } = listing;
  const { version, license, description } = shown;
  const homepage = '';
  return {
    ...{ id, name: fullName(listing), description, author: publisher, version, license, digest: shown.digest },
    listing_type: listing_type as Listing['listing_type'],
    execution_class: shown.execution_class as Listing['execution_class'],
    ...{ tags: JSON.parse(shown.tags), downloads: 0, stars: 0 },
    ...{ status: shown.status as Listing['status'], status_reason: shown.status_reason },
    ...{ claimed: shown.claim !== null, findings: JSON.parse(shown.findings).length },
    sources: [{ provider: OWN_SOURCE, external_id: id, version, homepage, updated_at: shown.created_at }],
    ...{ conflicts: [], publisher: { id: publisher_id, name: publisher } },
    verification: { level: 'checked', checked_at: shown.created_at },
    ...{ hot_score: null, featured: false, created_at, updated_at },
  };
}

export const versionOf = (row: PublishedVersionRow): Static<typeof VersionSummary> => ({
  ...{ version: row.version, digest: row.digest, status: row.status as 'live', status_reason: row.status_reason },
  ...{ status_at: row.status_at, license: row.license, execution_class: row.execution_class as 'prompt' },
  ...{ claimed: row.claim !== null, created_at: row.created_at },
});

export const pathOf = (id: string): string => `/api/marketplace/listings/${id}`;
export const versionPath = (id: string, version: string): string => `${pathOf(id)}/versions/${version}`;

export function detailOf(listing: ListingRow, row: PublishedVersionRow): Static<typeof VersionDetail> {
  const items = JSON.parse(row.findings);
  const self = versionPath(listing.id, row.version);
  return {
    ...{ listing_id: listing.id, name: fullName(listing), listing_type: listing.listing_type as 'skill' },
    ...versionOf(row),
    ...{ description: row.description, tags: JSON.parse(row.tags), files: JSON.parse(row.files) },
    findings: { warnings: items.length, items },
    claim: row.claim === null ? null : JSON.parse(row.claim),
    links: { self, listing: pathOf(listing.id), files: `${self}/files/` },
  };
}

export const latestVersion = (versions: readonly PublishedVersionRow[]): string | null =>
  latestOf(versions)?.version ?? null;
