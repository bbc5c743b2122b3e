import { address, duration, integer } from '#core/config/config.ts';

export const MARKETPLACE_SETTINGS = {
  listings_per_user: integer('CAPSTAN_PUBLISHED_PER_USER', 200, 1, 100_000, {
    description: 'How many listings one account may publish, unpublished ones too.',
  }),
  versions_per_day: integer('CAPSTAN_PUBLISHED_PER_DAY', 50, 1, 100_000, {
    description: 'How many versions one account may publish in 24 hours.',
  }),
  bytes_per_user: integer('CAPSTAN_PUBLISHED_BYTES', 268_435_456, 1_024, 1_000_000_000_000, {
    description: 'How many bytes of files one account may have published, all versions together.',
  }),
  reports_per_day: integer('CAPSTAN_REPORTS_PER_DAY', 20, 1, 10_000, {
    description: 'How many reports of capabilities one account may send in 24 hours.',
  }),
  report_retention_ms: duration('CAPSTAN_REPORT_RETENTION', '400d', 86_400_000, {
    description: 'How long reports of capabilities are kept once they are closed. What was decided on them stays.',
  }),
  github_raw_url: address('CAPSTAN_GITHUB_RAW_URL', {
    description: 'Where the files that prove claims are had instead of raw.githubusercontent.com; a mirror.',
  }),
  gitlab_url: address('CAPSTAN_GITLAB_URL', {
    description: 'Where the files that prove claims are had instead of gitlab.com; a mirror.',
  }),
} as const;
