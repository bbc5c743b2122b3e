import type { Static } from 'typebox';
import type { CapabilityClaimRow } from '#core/db/schema-moderation.ts';
import { Type } from '#core/json-schema/type.ts';
import { CLAIM_METHODS } from './make-claim.ts';
import { ownershipText } from './verify-claim.ts';

/** Claims as responses show them. Pure. */

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const timeOrNull = Type.Union([time, Type.Null()]);
const CLAIM_STATUSES = ['pending', 'verified', 'lapsed', 'revoked', 'replaced', 'expired'] as const;

const SHOWN = {
  id: text,
  capability_id: text,
  method: Type.Enum([...CLAIM_METHODS]),
  status: Type.Enum([...CLAIM_STATUSES]),
  publisher: Type.Object({ id: text, name: text }),
  proof: Type.String({ description: 'URL of the claim file.' }),
  created_at: time,
  verified_at: timeOrNull,
  checked_at: timeOrNull,
  failing_since: Type.Union([time, Type.Null()], {
    description: 'When the file stopped confirming the claim. The claim lapses seven days later.',
  }),
};
export const OwnershipClaim = Type.Object(SHOWN);

export const ToDo = Type.Object({
  ...SHOWN,
  expires_at: time,
  file: Type.Object({
    path: Type.String({ description: 'In the repository, on its default branch.' }),
    content: Type.String({ description: 'Required content. The file may contain other entries.' }),
  }),
  claim_text: Type.Union([text, Type.Null()], {
    description: 'Text for the wallet to sign. Null for `repository_file`.',
  }),
  proves: Type.String({ description: 'What a claim with this method proves, and what it does not.' }),
  next: Type.String({ description: 'The request that verifies the claim.' }),
});

interface Named {
  id: string;
  name: string;
}

export const claimShown = (claim: CapabilityClaimRow, { id, name }: Named): Static<typeof OwnershipClaim> => ({
  id: claim.id,
  capability_id: claim.capability_id,
  method: claim.method as 'wallet',
  status: claim.status as 'pending',
  publisher: { id, name },
  proof: claim.file_url,
  created_at: claim.created_at,
  verified_at: claim.verified_at,
  checked_at: claim.checked_at,
  failing_since: claim.failing_since,
});

const PROVES = {
  repository_file:
    'The claimant could write to the default branch of the listing’s repository at each check. ' +
    'It does not prove that the claimant wrote its content.',
  wallet:
    'Someone with write access to the default branch of the repository named the wallet, ' +
    'and the owner of the wallet made the claim.',
} as const;

export function toDoShown(
  base_url: string,
  claim: CapabilityClaimRow,
  publisher: Named,
  path: string,
): Static<typeof ToDo> {
  const isWallet = claim.method === 'wallet';
  const entry = { capability: claim.capability_id, publisher: publisher.name, token: claim.token };
  const content = isWallet ? { wallets: ['<ethereum or solana>:<address>'] } : { claims: [entry] };
  return {
    ...claimShown(claim, publisher),
    expires_at: claim.expires_at,
    file: { path, content: `${JSON.stringify(content, null, 2)}\n` },
    claim_text: isWallet ? ownershipText(base_url, publisher.name, claim) : null,
    proves: PROVES[claim.method as keyof typeof PROVES],
    next: `POST /api/marketplace/listings/${claim.capability_id}/claims/${claim.id}/verify`,
  };
}
