import { quoted } from '#catalog/checks/violation.ts';
import type { CapabilityClaimRow } from '#core/db/schema-moderation.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';

/** Errors of claims. */

export const publisherNeeded = (): Problem =>
  coreProblem('http.invalid', 'Your account has no publisher name. Send publisher.', {
    reason: 'input',
    errors: [{ pointer: '/publisher', detail: 'is required for an account without a publisher name' }],
  });

export const placeUnclear = (why: string): Problem =>
  marketplaceProblem(
    'marketplace.claim_invalid',
    `${why} Ask its provider to list the repository and folder, then claim it.`,
    { reason: 'no_repository' },
  );

export const folderNeeded = (): Problem =>
  marketplaceProblem(
    'marketplace.claim_invalid',
    'Its repository has several listings. Send folder, the path of its SKILL.md.',
    {
      reason: 'folder_required',
      errors: [{ pointer: '/folder', detail: 'is required for a skill in a repository with several listings' }],
    },
  );

export const folderUnfit = (): Problem =>
  marketplaceProblem('marketplace.claim_invalid', 'The folder must be a path inside the repository.', {
    reason: 'folder_required',
    errors: [{ pointer: '/folder', detail: 'must be a relative path without .. such as skills/words' }],
  });

export const claimNotFound = (): Problem =>
  marketplaceProblem('marketplace.not_found', 'Claim not found for this capability and account.', { reason: 'claim' });

export const claimEnded = (status: string): Problem =>
  marketplaceProblem(
    'marketplace.claim_conflict',
    `This claim is ${status === 'pending' ? 'expired' : status}. Create a new claim.`,
    { reason: 'ended' },
  );

export const claimHeld = (publisher: string): Problem =>
  marketplaceProblem(
    'marketplace.claim_conflict',
    `${quoted(publisher)} holds a claim that the repository still confirms. Remove that entry from the file, then verify again.`,
    { reason: 'held' },
  );

export const fileAbsent = ({ file_url }: CapabilityClaimRow, detail: string): Problem =>
  marketplaceProblem('marketplace.claim_invalid', `${detail} Expected at ${file_url}.`, { reason: 'file_missing' });

export const fileUnreachable = ({ file_url }: CapabilityClaimRow, detail: string): Problem =>
  coreProblem('outbound.failed', `${detail} ${file_url} Retry later.`, { reason: 'unreachable' });

export const signatureNeeded = (): Problem =>
  marketplaceProblem('marketplace.claim_invalid', 'A wallet claim requires signed, the signature on claim_text.', {
    reason: 'signature_required',
    errors: [{ pointer: '/signed', detail: 'is required for a wallet claim' }],
  });

export const skillDiffers = (name: string): Problem =>
  marketplaceProblem(
    'marketplace.claim_invalid',
    `The folder has no SKILL.md with the name ${quoted(name)}. Claim again with the correct folder.`,
    { reason: 'skill_differs' },
  );
