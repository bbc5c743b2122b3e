import type { Registry } from 'prom-client';
import type { EnsureDetail } from '#catalog/details/fetch-details.ts';
import type { CountRefresh } from '#connections/authorization/count-refreshes.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import type { Input } from '#core/http/operation.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { Log } from '#core/log.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { Threads } from '#core/threads/threads.ts';
import type { Tracing } from '#core/traces/tracing.ts';
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
