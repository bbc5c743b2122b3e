import type { Registry } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Values } from '../../platform/config.ts';
import type { KeyProvider } from '../../platform/crypto/secret-keys.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Input } from '../../platform/http/operation.ts';
import type { JobTable } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { OutboundFetch } from '../../platform/outbound.ts';
import type { Threads } from '../../platform/threads/threads.ts';
import type { EnsureDetail } from '../registry/details/fetch-details.ts';
import type { Tracing } from '../traces/tracing.ts';
import type { StorageGate } from '../users/storage.ts';
import type { CountRefresh } from './oauth/count-refreshes.ts';
import type { SESSIONS_SETTINGS } from './settings.ts';

/** What every part of this feature is made of. */

/** What this feature is built from. */
export interface SessionsOptions {
  database: Database;
  clock: Clock;
  log: Log;
  /** The service's own secret keys. */
  keys: KeyProvider;
  jobs: Pick<JobTable, 'put'>;
  /** The guarded way out. */
  fetch: OutboundFetch;
  tracing: Tracing;
  /** Asks a provider for the address that its list leaves out. */
  ensureDetail: EnsureDetail;
  storage: StorageGate;
  metrics: { registry: Registry };
  /** Who is signed in on the service's pages in a browser; null for nobody. */
  pageUser(headers: Input['headers']): Promise<string | null>;
  /** Where clients reach the service, without a trailing slash. */
  base_url: string;
  /** The serving threads of this process; alone unless given. */
  threads?: Threads;
  production: boolean;
  config: Values<typeof SESSIONS_SETTINGS>;
}

/** What vault and OAuth are made of. */
export interface SessionsBase extends SessionsOptions {
  db: Database['db'];
  countRefresh: CountRefresh;
}
