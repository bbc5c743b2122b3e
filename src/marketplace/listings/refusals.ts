import { quoted, type Violation } from '#catalog/checks/violation.ts';
import { countsOf, lineOf, listViolations } from '#catalog/checks/violation-list.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import { Problem } from '#core/problem/problem.ts';
import type { Measure } from '#marketplace/moderation/standing-of.ts';

/** What publishing refuses, each with what to do. */

export const filesUnfit = (violations: Violation[]): Problem => {
  const first = violations[0] as Violation;
  const detail = `The files are not in form (${countsOf(violations)}). ${lineOf(first)} Fix: ${first.fix}`;
  return new Problem('unprocessable', 'marketplace.files_unfit', detail, {
    errors: violations.slice(0, 50).map((it) => ({ pointer: '/files', detail: lineOf(it) })),
    extensions: { findings: listViolations(violations).violations },
  });
};

export const nameReserved = (publisher: string, reserved: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.name_reserved',
    `${quoted(publisher)} is, or looks like, the reserved name ${reserved}. Choose another publisher name.`,
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
    `${quoted(name)} can be taken for ${quoted(conflict.name)} (${conflict.source}: ${quoted(conflict.ref)}). ` +
      'Choose a name that differs in more than case, hyphens, look-alike letters or a single letter.',
    { extensions: { conflict } },
  );

export const nameTaken = (publisher: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.name_taken',
    `The publisher name ${quoted(publisher)} belongs to another account. Choose another one.`,
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
    `${name} has a version ${version} already, with ${is_same ? 'the same' : 'other'} files. ` +
      'Versions never change: publish under a higher one.',
    { extensions: { digest } },
  );

export const typeDiffers = (name: string, is: string, given: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.type_differs',
    `${name} is a ${is}, and these files are a ${given}. Publish them under another name.`,
  );

export const versionMalformed = (): Problem => {
  const detail = 'must be a version of SemVer without build metadata, such as 1.0.0 or 2.0.0-rc.1';
  return new Problem('invalid_request', 'marketplace.version_malformed', `The version ${detail}.`, {
    errors: [{ pointer: '/version', detail }],
  });
};

export const licenseMalformed = (why: string): Problem => {
  const fix = 'Use an SPDX expression such as MIT OR Apache-2.0, or LicenseRef-Proprietary.';
  const detail = `${why}${/[.?]$/.test(why) ? '' : '.'} ${fix}`;
  return new Problem('invalid_request', 'marketplace.license_malformed', `The license ${detail}`, {
    errors: [{ pointer: '/license', detail }],
  });
};

export const claimRefused = (): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_refused',
    'The signature is not the wallet’s on the claim of exactly this publisher, name, version and digest. ' +
      'Ask with dry_run for the text to sign, and sign it as it is.',
    { errors: [{ pointer: '/claim/signature', detail: 'is not on this claim' }] },
  );

export const claimOtherWallet = (): Problem =>
  new Problem(
    'forbidden',
    'marketplace.claim_other_wallet',
    'The wallet of the claim is not linked to your account. Link it first, or sign with one that is.',
  );

export const tooMany = (what: string, limit: number, retry_after_s?: number): Problem =>
  new Problem('quota_exceeded', 'marketplace.too_many', `An account may publish ${limit} ${what}.`, {
    headers: retry_after_s === undefined ? {} : { 'retry-after': `${retry_after_s}` },
  });

export const notFound = (): Problem =>
  new Problem('not_found', 'marketplace.not_found', 'There is no published listing with this id.');

export const publisherNotFound = (): Problem =>
  new Problem('not_found', 'marketplace.publisher_not_found', 'There is no publisher with this id.');

export const versionNotFound = (version: string): Problem =>
  new Problem(
    'not_found',
    'marketplace.version_not_found',
    `There is no version ${quoted(version)} of this listing. The listing names those there are.`,
  );

export const fileNotFound = (path: string): Problem =>
  new Problem(
    'not_found',
    'marketplace.file_not_found',
    `This version has no file ${quoted(path)}. The version lists its files.`,
  );

export const versionYanked = (reason: string): Problem =>
  new Problem(
    'gone',
    'marketplace.version_yanked',
    `This version was yanked: ${quoted(reason)}. Whoever has pinned it gets its files with ?digest=sha256:….`,
  );

export const digestDiffers = (digest: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.digest_differs',
    `The digest of this version is ${digest}, not the one asked for.`,
    {
      extensions: { digest },
    },
  );

export const storedFilesDiffer = (): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.stored_files_differ',
    'What is stored of this version does not fit its digest any more. It is neither handed out nor run.',
  );

export const notYours = (): Problem =>
  new Problem('forbidden', 'marketplace.not_yours', 'Only its publisher, or an operator, may change this listing.');

export const statusUnchanged = (what: string): Problem =>
  new Problem('conflict', 'marketplace.status_unchanged', `${what} The listing shows what each version is now.`);

export const heldBack = (): Problem =>
  new Problem(
    'forbidden',
    'marketplace.held_by_operator',
    'An operator took this back, with a reason that the listing shows; only an operator gives it back.',
  );

/** A capability that no provider lists any more. */
export const capabilityGone = ({ provider_id, external_id, updated_at }: CapabilityRow): Problem =>
  new Problem(
    'gone',
    'marketplace.capability_gone',
    `Nobody lists it any more, noticed ${updated_at}: ${provider_id} had it as ${quoted(external_id)}.`,
    { extensions: { tombstone: { provider_id, external_id, removed_at: updated_at } } },
  );

/** 410 with what is told of it; nothing of the capability itself. */
export const capabilityTakenDown = (id: string, { kind, rule, reason, at }: Measure): Problem => {
  const history = `/api/marketplace/listings/${id}/moderation`;
  return new Problem(
    'gone',
    'marketplace.listing_taken_down',
    `It was taken down here (${kind}): ${quoted(reason)} Its history and how to appeal: ${history}.`,
    { extensions: { tombstone: { id, taken_down: { kind, rule, reason, at, history } } } },
  );
};

export const capabilityUnknown = (pointer: '/with' | '/member', detail: string): Problem =>
  new Problem('unprocessable', 'marketplace.capability_unknown', detail, { errors: [{ pointer, detail }] });
