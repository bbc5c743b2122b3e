import { quoted, type Violation } from '#catalog/checks/violation.ts';
import { countsOf, lineOf, listViolations } from '#catalog/checks/violation-list.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';
import type { Measure } from '#marketplace/moderation/standing-of.ts';

/** Errors of publishing. */

export function filesUnfit(violations: Violation[]): Problem {
  const first = violations[0] as Violation;
  const detail = `Invalid files (${countsOf(violations)}). ${lineOf(first)} Fix: ${first.fix}`;
  return marketplaceProblem('marketplace.files_invalid', detail, {
    reason: 'format',
    errors: violations.slice(0, 50).map((violation) => ({ pointer: '/files', detail: lineOf(violation) })),
    extensions: { findings: listViolations(violations).violations },
  });
}

export const nameReserved = (publisher: string, reserved: string): Problem =>
  marketplaceProblem(
    'marketplace.name_conflict',
    `${quoted(publisher)} matches or resembles the reserved name ${reserved}. Choose another publisher name.`,
    { reason: 'reserved', extensions: { conflict: { name: reserved, source: 'reserved' } } },
  );

/** An existing name that is confusable. */
export interface Conflict {
  /** Its display name. */
  name: string;
  /** `capstan`, or the provider that lists it. */
  source: string;
  /** Its id there. */
  ref: string;
}

export const nameAlike = (name: string, conflict: Conflict): Problem =>
  marketplaceProblem(
    'marketplace.name_conflict',
    `${quoted(name)} can be confused with ${quoted(conflict.name)} (${conflict.source}: ${quoted(conflict.ref)}). ` +
      'Choose a name that differs in more than case, hyphens, look-alike letters or one letter.',
    { reason: 'alike', extensions: { conflict } },
  );

export const nameTaken = (publisher: string): Problem =>
  marketplaceProblem(
    'marketplace.name_conflict',
    `The publisher name ${quoted(publisher)} is taken. Choose another one.`,
    { reason: 'taken', extensions: { conflict: { name: publisher, source: 'capstan', ref: publisher } } },
  );

export const publisherDiffers = (own: string): Problem =>
  marketplaceProblem(
    'marketplace.name_conflict',
    `Your account publishes as ${own}; an account has one publisher name. Publish as ${own}/….`,
    { reason: 'publisher_differs' },
  );

export const versionExists = (name: string, version: string, digest: string, is_same: boolean): Problem =>
  marketplaceProblem(
    'marketplace.version_conflict',
    `${name} already has version ${version} with ${is_same ? 'the same' : 'other'} files. ` +
      'Versions are immutable: publish a higher version.',
    { reason: 'exists', extensions: { digest } },
  );

export const typeDiffers = (name: string, is: string, given: string): Problem =>
  marketplaceProblem(
    'marketplace.version_conflict',
    `${name} is a ${is}, but these files are a ${given}. Publish them under another name.`,
    { reason: 'type_differs' },
  );

export function versionMalformed(): Problem {
  const detail = 'must be a SemVer version without build metadata, such as 1.0.0 or 2.0.0-rc.1';
  return coreProblem('http.invalid', `The version ${detail}.`, {
    reason: 'input',
    errors: [{ pointer: '/version', detail }],
  });
}

export function licenseMalformed(why: string): Problem {
  const fix = 'Use an SPDX expression such as MIT OR Apache-2.0, or LicenseRef-Proprietary.';
  const detail = `${why}${/[.?]$/.test(why) ? '' : '.'} ${fix}`;
  return coreProblem('http.invalid', `The license ${detail}`, {
    reason: 'input',
    errors: [{ pointer: '/license', detail }],
  });
}

export const claimRefused = (): Problem =>
  marketplaceProblem(
    'marketplace.claim_invalid',
    'Invalid signature for this publisher, name, version and digest. ' +
      'Send dry_run to get claim_text, and sign exactly that text.',
    { reason: 'signature', errors: [{ pointer: '/claim/signature', detail: 'does not match this claim' }] },
  );

export const claimOtherWallet = (): Problem =>
  marketplaceProblem(
    'marketplace.forbidden',
    'The claim’s wallet is not linked to your account. Link it, or sign with a linked wallet.',
    { reason: 'claim_wallet' },
  );

export const tooMany = (what: string, limit: number, retry_after_s?: number): Problem =>
  marketplaceProblem('marketplace.limit_exceeded', `An account may publish ${limit} ${what}.`, {
    reason: 'publishing',
    headers: retry_after_s === undefined ? {} : { 'retry-after': `${retry_after_s}` },
  });

export const notFound = (): Problem =>
  marketplaceProblem('marketplace.not_found', 'Listing not found.', { reason: 'listing' });

export const publisherNotFound = (): Problem =>
  marketplaceProblem('marketplace.not_found', 'Publisher not found.', { reason: 'publisher' });

export const versionNotFound = (version: string): Problem =>
  marketplaceProblem('marketplace.not_found', `Version ${quoted(version)} not found. See versions of the listing.`, {
    reason: 'version',
  });

export const fileNotFound = (path: string): Problem =>
  marketplaceProblem('marketplace.not_found', `File ${quoted(path)} not found in this version. See its files.`, {
    reason: 'file',
  });

export const versionYanked = (reason: string): Problem =>
  marketplaceProblem(
    'marketplace.gone',
    `Version yanked: ${quoted(reason)}. To get pinned files, send ?digest=sha256:….`,
    { reason: 'version_yanked' },
  );

export const digestDiffers = (digest: string): Problem =>
  marketplaceProblem(
    'marketplace.version_conflict',
    `The digest of this version is ${digest}, not the requested one.`,
    { reason: 'digest_differs', extensions: { digest } },
  );

export const storedFilesDiffer = (): Problem =>
  marketplaceProblem(
    'marketplace.files_invalid',
    'The stored files do not match the digest of this version. It cannot be downloaded or run.',
    { reason: 'stored_files_differ' },
  );

export const notYours = (): Problem =>
  marketplaceProblem('marketplace.forbidden', 'Only its publisher, or an operator, may change this listing.', {
    reason: 'publisher_only',
  });

export const statusUnchanged = (what: string): Problem =>
  marketplaceProblem('marketplace.version_conflict', `${what} The listing shows the status of each version.`, {
    reason: 'status_unchanged',
  });

export const heldBack = (): Problem =>
  marketplaceProblem(
    'marketplace.forbidden',
    'An operator withdrew this version; only an operator can restore it. The listing shows the reason.',
    { reason: 'held_by_operator' },
  );

/** 410 for a capability that no provider lists any more. */
export const capabilityGone = ({ provider_id, external_id, updated_at }: CapabilityRow): Problem =>
  marketplaceProblem(
    'marketplace.gone',
    `No provider lists this capability since ${updated_at}: ${provider_id} listed it as ${quoted(external_id)}.`,
    { reason: 'removed', extensions: { tombstone: { provider_id, external_id, removed_at: updated_at } } },
  );

/** 410 with the takedown, without content of the capability. */
export function capabilityTakenDown(id: string, { kind, rule, reason, at }: Measure): Problem {
  const history = `/api/marketplace/listings/${id}/moderation`;
  return marketplaceProblem(
    'marketplace.gone',
    `Taken down (${kind}): ${quoted(reason)} History and appeals: ${history}.`,
    { reason: 'taken_down', extensions: { tombstone: { id, taken_down: { kind, rule, reason, at, history } } } },
  );
}

export const capabilityUnknown = (pointer: '/with' | '/member', detail: string): Problem =>
  marketplaceProblem('marketplace.capability_invalid', detail, { reason: 'unknown', errors: [{ pointer, detail }] });
