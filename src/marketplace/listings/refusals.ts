import { quoted, type Violation } from '#catalog/checks/violation.ts';
import { countsOf, lineOf, listViolations } from '#catalog/checks/violation-list.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import { Problem } from '#core/problem/problem.ts';
import type { Measure } from '#marketplace/moderation/standing-of.ts';

/** What publishing refuses, each with what to do. */

export function filesUnfit(violations: Violation[]): Problem {
  const first = violations[0] as Violation;
  const detail = `Invalid files (${countsOf(violations)}). ${lineOf(first)} Fix: ${first.fix}`;
  return new Problem('unprocessable', 'marketplace.files_unfit', detail, {
    errors: violations.slice(0, 50).map((violation) => ({ pointer: '/files', detail: lineOf(violation) })),
    extensions: { findings: listViolations(violations).violations },
  });
}

export const nameReserved = (publisher: string, reserved: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.name_reserved',
    `${quoted(publisher)} matches or resembles the reserved name ${reserved}. Choose another publisher name.`,
    { extensions: { conflict: { name: reserved, source: 'reserved' } } },
  );

/** Something that is there and looks like the name. */
export interface Conflict {
  /** As it is known. */
  name: string;
  /** `capstan`, or the provider that lists it. */
  source: string;
  /** Its id there. */
  ref: string;
}

export const nameAlike = (name: string, conflict: Conflict): Problem =>
  new Problem(
    'conflict',
    'marketplace.name_alike',
    `${quoted(name)} can be confused with ${quoted(conflict.name)} (${conflict.source}: ${quoted(conflict.ref)}). ` +
      'Choose a name that differs in more than case, hyphens, look-alike letters or one letter.',
    { extensions: { conflict } },
  );

export const nameTaken = (publisher: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.name_taken',
    `The publisher name ${quoted(publisher)} is taken. Choose another one.`,
    { extensions: { conflict: { name: publisher, source: 'capstan', ref: publisher } } },
  );

export const publisherDiffers = (own: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.publisher_differs',
    `Your account publishes as ${own}; an account has one publisher name. Publish as ${own}/….`,
  );

export const versionExists = (name: string, version: string, digest: string, is_same: boolean): Problem =>
  new Problem(
    'conflict',
    'marketplace.version_exists',
    `${name} already has version ${version} with ${is_same ? 'the same' : 'other'} files. ` +
      'Versions are immutable: publish a higher version.',
    { extensions: { digest } },
  );

export const typeDiffers = (name: string, is: string, given: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.type_differs',
    `${name} is a ${is}, but these files are a ${given}. Publish them under another name.`,
  );

export function versionMalformed(): Problem {
  const detail = 'must be a SemVer version without build metadata, such as 1.0.0 or 2.0.0-rc.1';
  return new Problem('invalid_request', 'marketplace.version_malformed', `The version ${detail}.`, {
    errors: [{ pointer: '/version', detail }],
  });
}

export function licenseMalformed(why: string): Problem {
  const fix = 'Use an SPDX expression such as MIT OR Apache-2.0, or LicenseRef-Proprietary.';
  const detail = `${why}${/[.?]$/.test(why) ? '' : '.'} ${fix}`;
  return new Problem('invalid_request', 'marketplace.license_malformed', `The license ${detail}`, {
    errors: [{ pointer: '/license', detail }],
  });
}

export const claimRefused = (): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_refused',
    'Invalid signature for this publisher, name, version and digest. ' +
      'Send dry_run to get claim_text, and sign exactly that text.',
    { errors: [{ pointer: '/claim/signature', detail: 'does not match this claim' }] },
  );

export const claimOtherWallet = (): Problem =>
  new Problem(
    'forbidden',
    'marketplace.claim_other_wallet',
    'The claim’s wallet is not linked to your account. Link it, or sign with a linked wallet.',
  );

export const tooMany = (what: string, limit: number, retry_after_s?: number): Problem =>
  new Problem('quota_exceeded', 'marketplace.too_many', `An account may publish ${limit} ${what}.`, {
    headers: retry_after_s === undefined ? {} : { 'retry-after': `${retry_after_s}` },
  });

export const notFound = (): Problem => new Problem('not_found', 'marketplace.not_found', 'Listing not found.');

export const publisherNotFound = (): Problem =>
  new Problem('not_found', 'marketplace.publisher_not_found', 'Publisher not found.');

export const versionNotFound = (version: string): Problem =>
  new Problem(
    'not_found',
    'marketplace.version_not_found',
    `Version ${quoted(version)} not found. See versions of the listing.`,
  );

export const fileNotFound = (path: string): Problem =>
  new Problem(
    'not_found',
    'marketplace.file_not_found',
    `File ${quoted(path)} not found in this version. See its files.`,
  );

export const versionYanked = (reason: string): Problem =>
  new Problem(
    'gone',
    'marketplace.version_yanked',
    `Version yanked: ${quoted(reason)}. To get pinned files, send ?digest=sha256:….`,
  );

export const digestDiffers = (digest: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.digest_differs',
    `The digest of this version is ${digest}, not the requested one.`,
    {
      extensions: { digest },
    },
  );

export const storedFilesDiffer = (): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.stored_files_differ',
    'The stored files do not match the digest of this version. It cannot be downloaded or run.',
  );

export const notYours = (): Problem =>
  new Problem('forbidden', 'marketplace.not_yours', 'Only its publisher, or an operator, may change this listing.');

export const statusUnchanged = (what: string): Problem =>
  new Problem('conflict', 'marketplace.status_unchanged', `${what} The listing shows the status of each version.`);

export const heldBack = (): Problem =>
  new Problem(
    'forbidden',
    'marketplace.held_by_operator',
    'An operator withdrew this version; only an operator can restore it. The listing shows the reason.',
  );

/** A capability that no provider lists any more. */
export const capabilityGone = ({ provider_id, external_id, updated_at }: CapabilityRow): Problem =>
  new Problem(
    'gone',
    'marketplace.capability_gone',
    `No provider lists this capability since ${updated_at}: ${provider_id} listed it as ${quoted(external_id)}.`,
    { extensions: { tombstone: { provider_id, external_id, removed_at: updated_at } } },
  );

/** 410 with what is told of it; nothing of the capability itself. */
export function capabilityTakenDown(id: string, { kind, rule, reason, at }: Measure): Problem {
  const history = `/api/marketplace/listings/${id}/moderation`;
  return new Problem(
    'gone',
    'marketplace.listing_taken_down',
    `Taken down (${kind}): ${quoted(reason)} History and appeals: ${history}.`,
    { extensions: { tombstone: { id, taken_down: { kind, rule, reason, at, history } } } },
  );
}

export const capabilityUnknown = (pointer: '/with' | '/member', detail: string): Problem =>
  new Problem('unprocessable', 'marketplace.capability_unknown', detail, { errors: [{ pointer, detail }] });
