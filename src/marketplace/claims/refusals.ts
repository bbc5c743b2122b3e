import { quoted } from '#catalog/checks/violation.ts';
import type { CapabilityClaimRow } from '#core/db/schema-moderation.ts';
import { Problem } from '#core/problem/problem.ts';

/** Errors of claims. */

export const publisherNeeded = (): Problem =>
  new Problem(
    'invalid_request',
    'marketplace.publisher_needed',
    'Your account has no publisher name. Send publisher.',
    {
      errors: [{ pointer: '/publisher', detail: 'is required for an account without a publisher name' }],
    },
  );

export const placeUnclear = (why: string): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_place_unclear',
    `${why} Ask its provider to list the repository and folder, then claim it.`,
  );

export const folderNeeded = (): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_folder_needed',
    'Its repository has several listings. Send folder, the path of its SKILL.md.',
    { errors: [{ pointer: '/folder', detail: 'is required for a skill in a repository with several listings' }] },
  );

export const folderUnfit = (): Problem =>
  new Problem('unprocessable', 'marketplace.claim_folder_needed', 'The folder must be a path inside the repository.', {
    errors: [{ pointer: '/folder', detail: 'must be a relative path without .. such as skills/words' }],
  });

export const claimNotFound = (): Problem =>
  new Problem('not_found', 'marketplace.claim_not_found', 'Claim not found for this capability and account.');

export const claimEnded = (status: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.claim_ended',
    `This claim is ${status === 'pending' ? 'expired' : status}. Create a new claim.`,
  );

export const claimHeld = (publisher: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.claim_held',
    `${quoted(publisher)} holds a claim that the repository still confirms. Remove that entry from the file, then verify again.`,
  );

export const fileAbsent = ({ file_url }: CapabilityClaimRow, detail: string): Problem =>
  new Problem('unprocessable', 'marketplace.claim_file_absent', `${detail} Expected at ${file_url}.`);

export const fileUnreachable = ({ file_url }: CapabilityClaimRow, detail: string): Problem =>
  new Problem('upstream_failed', 'marketplace.claim_file_unreachable', `${detail} ${file_url} Retry later.`);

export const signatureNeeded = (): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_signature_needed',
    'A wallet claim requires signed, the signature on claim_text.',
    {
      errors: [{ pointer: '/signed', detail: 'is required for a wallet claim' }],
    },
  );

export const skillDiffers = (name: string): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_skill_differs',
    `The folder has no SKILL.md with the name ${quoted(name)}. Claim again with the correct folder.`,
  );
