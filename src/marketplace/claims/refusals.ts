import { quoted } from '#catalog/checks/violation.ts';
import type { CapabilityClaimRow } from '#core/db/schema-moderation.ts';
import { Problem } from '#core/problem/problem.ts';

/** What claims are refused for, each with what to do. */

export const publisherNeeded = (): Problem =>
  new Problem(
    'invalid_request',
    'marketplace.publisher_needed',
    'Your account publishes under no name yet: send publisher.',
    {
      errors: [{ pointer: '/publisher', detail: 'is wanted from an account that publishes under no name yet' }],
    },
  );

export const placeUnclear = (why: string): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_place_unclear',
    `${why} Have its provider show the repository and the folder in it, then claim it.`,
  );

export const folderNeeded = (): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_folder_needed',
    'Several things are listed in its repository: send folder, the one that holds its SKILL.md.',
    { errors: [{ pointer: '/folder', detail: 'is wanted for a skill in a repository of several' }] },
  );

export const folderUnfit = (): Problem =>
  new Problem('unprocessable', 'marketplace.claim_folder_needed', 'The folder must be a path inside the repository.', {
    errors: [{ pointer: '/folder', detail: 'must be a relative path without .. such as skills/words' }],
  });

export const claimNotFound = (): Problem =>
  new Problem(
    'not_found',
    'marketplace.claim_not_found',
    'There is no such claim of this capability, or it is somebody else’s.',
  );

export const claimEnded = (status: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.claim_ended',
    `This claim is ${status === 'pending' ? 'expired' : status}. Make a new one.`,
  );

export const claimHeld = (publisher: string): Problem =>
  new Problem(
    'conflict',
    'marketplace.claim_held',
    `${quoted(publisher)} has claimed it, and the repository still says so. Take their entry out of the file, then verify again.`,
  );

export const fileAbsent = ({ file_url }: CapabilityClaimRow, detail: string): Problem =>
  new Problem('unprocessable', 'marketplace.claim_file_absent', `${detail} It is looked for at ${file_url}.`);

export const fileUnreachable = ({ file_url }: CapabilityClaimRow, detail: string): Problem =>
  new Problem(
    'upstream_failed',
    'marketplace.claim_file_unreachable',
    `${detail} ${file_url} is asked again when you verify again.`,
  );

export const signatureNeeded = (): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_signature_needed',
    'A claim by wallet needs signed: the signature on claim_text.',
    {
      errors: [{ pointer: '/signed', detail: 'is wanted for a claim by wallet' }],
    },
  );

export const skillDiffers = (name: string): Problem =>
  new Problem(
    'unprocessable',
    'marketplace.claim_skill_differs',
    `The folder holds no SKILL.md of the name ${quoted(name)}. Claim again with the folder that does.`,
  );
