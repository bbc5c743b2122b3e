import type { BundleVerdict, Listing } from '../../sdk/src/index.ts';
import { fieldsOf, type InputField } from './input-fields.ts';
import type { Filled } from './input-form.ts';

/** What the page of the look shows in its parts. */

const AT = '2026-11-20T14:14:32.587Z';

const LISTING: Listing = {
  // Of skills that every service has, so that the links lead somewhere.
  id: 'skill/csv-profile',
  name: 'harbour-tides',
  description: 'High and low water of every harbour of the coast, with the surge that was measured there.',
  author: 'harbour-works',
  version: '2.1.0',
  license: 'MIT',
  listing_type: 'server',
  execution_class: 'mcp',
  tags: [],
  downloads: 48_210,
  stars: 912,
  sources: (['mcp-registry', 'smithery', 'glama'] as const).map((provider) => ({
    provider,
    external_id: 'harbour-works/tides',
    version: '2.1.0',
    homepage: '',
    updated_at: AT,
  })),
  conflicts: [],
  publisher: null,
  availability: 'runs',
  verification: {
    level: 'ran',
    verified: false,
    looked_at: ['record', 'runs'],
    since: AT,
    expires_at: null,
    checked_at: AT,
    findings: [],
    upstream: [],
  },
  hot_score: null,
  featured: false,
  flagged: false,
  created_at: AT,
  updated_at: AT,
};

export const LISTINGS: readonly Listing[] = [
  LISTING,
  {
    ...LISTING,
    id: 'skill/json-diff',
    name: 'chart-room',
    description: 'Draws nautical charts from open data.',
    listing_type: 'skill',
    execution_class: 'prompt',
    verification: { ...LISTING.verification, level: 'checked' },
  },
  {
    ...LISTING,
    id: 'skill/json-repair',
    name: 'log-book',
    description: '',
    flagged: true,
    license: '',
    stars: 0,
    downloads: 0,
  },
];

const DIGEST = '53170542adbacfc5d1e0'.repeat(4).slice(0, 64);

type Known = Extract<BundleVerdict, { verdict: 'valid' }>;

const KNOWN: Pick<Known, 'detail' | 'key_id' | 'log' | 'statement'> = {
  detail: '',
  key_id: 'JdrgEL0gkq2YmM4tK1nS7uVwXyZ0aBcD',
  log: { origin: 'capstan.example', index: 48_212, size: 48_213 },
  statement: {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'skill/csv-profile@1.2.0', digest: { sha256: DIGEST } }],
    predicateType: 'urn:capstan:predicate:run:v0.2',
    predicate: {
      run_id: '01a20000-0000-7000-8000-000000000000',
      execution_class: 'scripted',
      started_at: AT,
      finished_at: '2026-11-20T14:14:32.999Z',
      status: 'completed',
      exit_code: 0,
      input: { hmac_sha256: DIGEST },
      output: { hmac_sha256: DIGEST },
      model: null,
      planner: null,
      trace: { trace_id: DIGEST.slice(32), digest: DIGEST },
      caller: { commitment: DIGEST },
      attempt: 1,
      intent: { digest: { sha256: DIGEST } },
      environment: { isolation: 'wasm+process', engine: 'just-bash', network: 'none' },
    },
  },
};

export const VERDICTS: readonly BundleVerdict[] = [
  { ...KNOWN, verdict: 'valid', valid: true, consistent: true, issuer: 'pinned', failed: null },
  {
    ...KNOWN,
    verdict: 'internally consistent, issuer unknown',
    valid: false,
    consistent: true,
    issuer: 'unknown',
    failed: 'issuer',
  },
  {
    verdict: 'refused',
    valid: false,
    consistent: false,
    failed: 'signature',
    detail: 'The signature does not fit the content.',
  },
];

const FIELD_SCHEMA = {
  properties: {
    repo: { type: 'string', title: 'Repository', maxLength: 60, description: 'Letters, digits and hyphens.' },
    places: { type: 'integer', title: 'Decimal places' },
    unit: { enum: ['metres', 'feet'], title: 'Unit', description: 'Of heights.' },
    text: { type: 'string', title: 'Text' },
  },
  required: ['repo'],
};

export const FIELDS = fieldsOf(FIELD_SCHEMA) as InputField[];

export const FILLED: Filled = {
  written: { repo: 'my repo', places: '2', unit: '"feet"', text: '' },
  json: '',
  faults: [{ name: 'repo', detail: 'Use letters, digits and hyphens.' }],
};
