/** Examples in the contract: a capability that two providers list. */

export const CAPABILITY_ID = '0199a3c4-7d1e-7abc-8b1f-3f0e5d6c7b8a';
const AT = '2026-04-14T06:00:00.000Z';
const FROM = { provider: 'mcp-registry', external_id: 'example.database/postgres' };
const ALSO = { provider: 'smithery', external_id: 'example/postgres' };

export const CAPABILITY_EXAMPLE = {
  id: CAPABILITY_ID,
  name: 'postgres',
  description: 'Runs read-only queries on a Postgres database.',
  author: 'example.database',
  version: '1.4.0',
  license: 'MIT',
  listing_type: 'server',
  execution_class: 'mcp',
  tags: ['database'],
  downloads: 1_200,
  stars: 0,
  sources: [
    { ...FROM, version: '1.4.0', homepage: 'https://example.org/postgres', updated_at: AT },
    { ...ALSO, version: '', homepage: '', updated_at: null },
  ],
  conflicts: [],
  publisher: null,
  verification: {
    level: 'ran',
    verified: false,
    looked_at: ['record', 'tools', 'runs'],
    since: AT,
    expires_at: '2026-07-12T08:30:00.000Z',
    checked_at: AT,
    findings: [],
    upstream: [],
  },
  availability: 'runs',
  hot_score: 0.8,
  featured: false,
  flagged: false,
  created_at: AT,
  updated_at: AT,
};
