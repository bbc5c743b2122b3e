import { address, duration, integer } from '#core/config/config.ts';
import { issuersSetting } from '#marketplace/trusted-publishers/issuers.ts';

export const MARKETPLACE_SETTINGS = {
  listings_per_user: integer('CAPSTAN_PUBLISHED_PER_USER', 200, 1, 100_000, {
    description: 'Maximum listings per account, including unpublished ones.',
  }),
  versions_per_day: integer('CAPSTAN_PUBLISHED_PER_DAY', 50, 1, 100_000, {
    description: 'Maximum versions published per account in 24 hours.',
  }),
  bytes_per_user: integer('CAPSTAN_PUBLISHED_BYTES', 268_435_456, 1_024, 1_000_000_000_000, {
    description: 'Maximum bytes of published files per account, all versions together.',
  }),
  reports_per_day: integer('CAPSTAN_REPORTS_PER_DAY', 20, 1, 10_000, {
    description: 'Maximum reports per account in 24 hours.',
  }),
  report_retention_ms: duration('CAPSTAN_REPORT_RETENTION', '400d', 86_400_000, {
    description: 'Retention of closed reports. Decisions are kept.',
  }),
  github_raw_url: address('CAPSTAN_GITHUB_RAW_URL', {
    description: 'Mirror to fetch claim files from instead of raw.githubusercontent.com.',
  }),
  gitlab_url: address('CAPSTAN_GITLAB_URL', {
    description: 'Mirror to fetch claim files from instead of gitlab.com.',
  }),
  trusted_issuers: issuersSetting(
    'CAPSTAN_TRUSTED_ISSUERS',
    'CI services whose workflows may publish besides GitHub Actions, which `github` names. The kind says what their tokens look like.',
  ),
} as const;
