import { RUNS } from './runs.ts';
/** Examples in the contract: a published skill. */

export const LISTING_ID = '0199a3c4-7d1e-7c2a-9b1f-3f0e5d6c7b8a';
export const PUBLISHER_ID = '0199a3c4-7d1e-7000-8a1f-3f0e5d6c7b8a';
const DIGEST = 'sha256:9d4e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6';
const AT = '2026-04-14T06:00:00.000Z';
const NAME = 'ana-lang/count-words';
const DESCRIPTION = 'Count the words of a text. Use it before a text goes where length matters.';

const SKILL_MD = `---
name: count-words
description: ${DESCRIPTION}
---

# Count words

1. Take the text.
2. Split it at white space, and answer with the number of parts.
`;

export const ORDER_EXAMPLE = {
  name: NAME,
  version: '1.0.0',
  license: 'MIT',
  files: [{ path: 'SKILL.md', content: SKILL_MD }],
  tags: ['text'],
  dry_run: true,
};

export const LISTING_EXAMPLE = {
  id: LISTING_ID,
  name: NAME,
  description: DESCRIPTION,
  author: 'ana-lang',
  version: '1.0.0',
  license: 'MIT',
  digest: DIGEST,
  listing_type: 'skill',
  execution_class: 'prompt',
  tags: ['text'],
  downloads: 0,
  stars: 0,
  status: 'live',
  status_reason: '',
  claimed: false,
  findings: 0,
  sources: [{ provider: 'capstan', external_id: LISTING_ID, version: '1.0.0', homepage: '', updated_at: AT }],
  conflicts: [],
  publisher: { id: PUBLISHER_ID, name: 'ana-lang', by: 'published' },
  verification: {
    level: 'checked',
    verified: false,
    looked_at: ['files'],
    since: AT,
    expires_at: null,
    checked_at: AT,
    findings: [],
    upstream: [],
  },
  hot_score: null,
  featured: false,
  availability: 'model',
  flagged: false,
  created_at: AT,
  updated_at: AT,
};

const VERSION = {
  version: '1.0.0',
  digest: DIGEST,
  status: 'live',
  status_reason: '',
  status_at: AT,
  license: 'MIT',
  execution_class: 'prompt',
  claimed: false,
  published_by: null,
  created_at: AT,
};
const SELF = `/api/marketplace/listings/${LISTING_ID}`;

export const DETAIL_EXAMPLE = {
  ...LISTING_EXAMPLE,
  latest: '1.0.0',
  versions: [VERSION],
  history: [{ version: '1.0.0', change: 'publish', actor: 'publisher', reason: '', at: AT }],
  run: RUNS.skill,
  links: {
    self: SELF,
    publisher: `/api/marketplace/publishers/${PUBLISHER_ID}`,
    version: `${SELF}/versions/1.0.0`,
  },
};

const FILE = {
  path: 'SKILL.md',
  size: SKILL_MD.length,
  sha256: '5b0d6e4d2f1c3a7988e6d5c4b3a2918070f6e5d4c3b2a1908f7e6d5c4b3a2910',
};

export const VERSION_EXAMPLE = {
  listing_id: LISTING_ID,
  name: NAME,
  listing_type: 'skill',
  ...VERSION,
  description: DESCRIPTION,
  tags: ['text'],
  files: [FILE],
  findings: { warnings: 0, items: [] },
  claim: null,
  links: { self: `${SELF}/versions/1.0.0`, listing: SELF, files: `${SELF}/versions/1.0.0/files/` },
};

export const PUBLISHED_EXAMPLE = {
  published: true,
  id: LISTING_ID,
  name: NAME,
  version: '1.0.0',
  license: 'MIT',
  digest: DIGEST,
  listing_type: 'skill',
  execution_class: 'prompt',
  files: [FILE],
  findings: { warnings: 0, items: [] },
  claim: null,
  claim_text: [
    'I publish this capability. This costs nothing and sends no transaction.',
    '',
    'Service: https://capstan.example',
    'Publisher: ana-lang',
    `Name: ${NAME}`,
    'Version: 1.0.0',
    `Digest: ${DIGEST}`,
  ].join('\n'),
  links: VERSION_EXAMPLE.links,
};

export const CHECKED_EXAMPLE = {
  ready: true,
  publisher: 'ana-lang',
  name: NAME,
  name_in_files: 'count-words',
  version: '1.0.1',
  license: 'MIT',
  listing_type: 'skill',
  execution_class: 'prompt',
  description: DESCRIPTION,
  digest: DIGEST,
  files: [FILE],
  findings: { errors: 0, warnings: 0, items: [] },
  problems: [],
  suggestion: { version: '1.0.1', reason: 'Only the content of files changed.' },
  previous: {
    id: LISTING_ID,
    version: '1.0.0',
    digest: DIGEST,
    is_same: false,
    added: [],
    removed: [],
    changed: ['SKILL.md'],
    links: { self: VERSION_EXAMPLE.links.self },
  },
  claim_text: PUBLISHED_EXAMPLE.claim_text,
  folder: null,
};

export const WITHDRAWN_EXAMPLE = {
  id: LISTING_ID,
  name: NAME,
  status: 'live',
  latest: null,
  changed: ['1.0.0'],
  versions: [{ ...VERSION, status: 'yanked', status_reason: 'It loses words.' }],
};

export const OWN_PUBLISHER_EXAMPLE = {
  publisher: { id: PUBLISHER_ID, name: 'ana-lang' },
  attention: [
    {
      kind: 'findings',
      id: LISTING_ID,
      name: NAME,
      detail: 'The checks found one thing in the shown version.',
      at: AT,
      measure_id: null,
    },
  ],
  listings: [
    {
      id: LISTING_ID,
      name: NAME,
      listing_type: 'skill',
      status: 'live',
      latest: '1.0.0',
      versions: 1,
      taken_down: false,
      updated_at: AT,
      runs: 12,
      completed_runs: 11,
      last_run_at: AT,
      findings: 1,
      open_reports: 0,
      flags: 0,
      trusted_publishers: 1,
    },
  ],
  claims: [],
  appeals: [],
};

export const PUBLISHER_EXAMPLE = {
  id: PUBLISHER_ID,
  name: 'ana-lang',
  created_at: AT,
  closed_at: null,
  listings: [
    {
      id: LISTING_ID,
      name: NAME,
      listing_type: 'skill',
      status: 'live',
      latest: '1.0.0',
      taken_down: false,
      updated_at: AT,
    },
  ],
  claims: [],
  totals: { listings: 1, versions: 1, claims: 0 },
  first_seen_at: AT,
};
