import { LISTING_ID, PUBLISHER_ID } from '#marketplace/listings/examples.ts';

/** Examples in the contract: a capability that was reported, flagged, appealed and claimed. */

export const REPORT_ID = '0199a3c4-8000-7c2a-9b1f-3f0e5d6c7b8a';
export const MEASURE_ID = '0199a3c4-8001-7c2a-9b1f-3f0e5d6c7b8a';
export const CLAIM_ID = '0199a3c4-8002-7c2a-9b1f-3f0e5d6c7b8a';
const AT = '2026-04-14T06:00:00.000Z';
const RULE = 'Potentially dangerous content is flagged until reviewed.';
const REASON = 'It reads files outside of its folder.';

export const REPORT_EXAMPLE = {
  id: REPORT_ID,
  capability_id: LISTING_ID,
  about: 'capability',
  kind: 'malware',
  text: 'scripts/run.sh reads ~/.ssh.',
  status: 'open',
  outcome: '',
  created_at: AT,
  closed_at: null,
};

export const MODERATION_EXAMPLE = {
  id: LISTING_ID,
  status: 'flagged',
  measures: [
    {
      id: MEASURE_ID,
      measure: 'flag',
      kind: 'suspicious',
      rule: RULE,
      reason: REASON,
      by: 'operator',
      at: AT,
      listings: [{ provider: 'glama', external_id: 'ana/words' }],
      whole: true,
      appeal: {
        status: 'none',
        how: `For its publisher or claim owner: POST /api/marketplace/listings/${LISTING_ID}/appeals`,
      },
    },
  ],
  history: [
    {
      id: MEASURE_ID,
      change: 'flagged',
      by: 'operator',
      kind: 'suspicious',
      rule: RULE,
      reason: REASON,
      measure_id: MEASURE_ID,
      publisher_id: '',
      at: AT,
      listings: [],
      evidence: [],
    },
  ],
  revision: MEASURE_ID,
};

export const APPEAL_EXAMPLE = {
  id: '0199a3c4-8003-7c2a-9b1f-3f0e5d6c7b8a',
  measure_id: MEASURE_ID,
  capability_id: LISTING_ID,
  text: 'It reads the one file that its input names.',
  status: 'open',
  outcome: '',
  created_at: AT,
  decided_at: null,
};

export const CASE_EXAMPLE = {
  capability_id: LISTING_ID,
  name: 'ana-lang/count-words',
  listing_type: 'skill',
  provider: 'capstan',
  external_id: LISTING_ID,
  urgency: 'urgent',
  kinds: ['malware'],
  count: 2,
  oldest_at: AT,
  newest_at: AT,
};

const PROOF = 'https://raw.githubusercontent.com/ana/words/HEAD/.well-known/capstan.json';
export const CLAIM_EXAMPLE = {
  id: CLAIM_ID,
  capability_id: LISTING_ID,
  method: 'repository_file',
  status: 'verified',
  publisher: { id: PUBLISHER_ID, name: 'ana-lang' },
  proof: PROOF,
  created_at: AT,
  verified_at: AT,
  checked_at: AT,
  failing_since: null,
};

const ENTRY = {
  capability: LISTING_ID,
  publisher: 'ana-lang',
  token: 'capstan-claim-0123456789abcdef0123456789abcdef01234567',
};
export const TO_DO_EXAMPLE = {
  ...CLAIM_EXAMPLE,
  status: 'pending',
  verified_at: null,
  checked_at: null,
  expires_at: '2026-04-21T06:00:00.000Z',
  file: { path: '.well-known/capstan.json', content: `${JSON.stringify({ claims: [ENTRY] }, null, 2)}\n` },
  claim_text: null,
  proves:
    'The claimant could write to the default branch of the listing’s repository at each check. ' +
    'It does not prove that the claimant wrote its content.',
  next: `POST /api/marketplace/listings/${LISTING_ID}/claims/${CLAIM_ID}/verify`,
};

export const FEATURED_EXAMPLE = {
  id: LISTING_ID,
  name: 'ana-lang/count-words',
  description: 'Count the words of a text.',
  author: 'ana-lang',
  version: '1.0.0',
  license: 'MIT',
  listing_type: 'skill',
  execution_class: 'prompt',
  tags: ['text'],
  sources: [{ provider: 'capstan', external_id: LISTING_ID }],
  publisher: { id: PUBLISHER_ID, name: 'ana-lang', by: 'published' },
  reason: {
    kind: 'curated',
    text: 'It counts words in any script.',
    by: 'operator',
    position: 100,
    since: AT,
    until: null,
  },
  links: { self: `/api/marketplace/listings/${LISTING_ID}` },
};
