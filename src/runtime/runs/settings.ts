import { address, choice, integer } from '#core/config/config.ts';
import { ISOLATION_LEVELS } from '#runtime/sandbox/sandbox.ts';

export const EXECUTION_SETTINGS = {
  sandbox_min: choice('CAPSTAN_SANDBOX_MIN', 'wasm+process', ISOLATION_LEVELS, {
    description: 'The minimum isolation of scripts. If the machine offers less, no scripts run.',
  }),
  sandbox_concurrency: integer('CAPSTAN_SANDBOX_CONCURRENCY', 0, 0, 1_024, {
    description: 'How many sandboxed scripts run at once, at most half of them of one user; 0 is two for each core.',
  }),
  sandbox_queue: integer('CAPSTAN_SANDBOX_QUEUE', 1_000, 0, 1_000_000, {
    description: 'Maximum number of scripts queued for the sandbox. One user may have a quarter of them.',
  }),
  github_url: address('CAPSTAN_GITHUB_URL', {
    description: 'Replaces https://codeload.github.com as the source of skill archives from GitHub.',
  }),
  bundle_cache_mb: integer('CAPSTAN_BUNDLE_CACHE_MB', 512, 16, 1_048_576, {
    description:
      'Size limit of DATA_DIR/bundles, where fetched skills are stored. The least recently used are removed first.',
  }),
} as const;
