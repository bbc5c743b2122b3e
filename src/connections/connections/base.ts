import type { Registry } from 'prom-client';
import type { EnsureDetail } from '#catalog/details/fetch-details.ts';
import type { Nearest } from '#catalog/search/nearest.ts';
import type { CountRefresh } from '#connections/authorization/count-refreshes.ts';
import type { CallRecords } from '#core/call-records/call-record.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import type { Input } from '#core/http/operation.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { Log } from '#core/log.ts';
import type { PackagedServers } from '#core/mcp/packaged-servers.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { Threads } from '#core/threads/threads.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import type { CONNECTIONS_SETTINGS } from './settings.ts';

/** Shared dependencies of this wing. */

/** What connections are built from. */
export interface ConnectionsOptions {
  database: Database;
  clock: Clock;
  log: Log;
  /** The service's secret keys. */
  keys: KeyProvider;
  jobs: Pick<JobTable, 'put'>;
  /** The fetch behind the egress guard. */
  fetch: OutboundFetch;
  /** Servers that are started from packages. */
  packaged: PackagedServers;
  tracing: Tracing;
  call_records: CallRecords;
  /** Requests details from a provider if its list omits the address. */
  ensureDetail: EnsureDetail;
  /** For names that nothing has. */
  nearest?: Nearest | undefined;
  storage: StorageGate;
  metrics: { registry: Registry };
  /** Returns the user who is signed in on the web pages in a browser, or null. */
  pageUser(headers: Input['headers']): Promise<string | null>;
  /** The public URL without a trailing slash. */
  base_url: string;
  /** The serving threads of this process; default: one. */
  threads?: Threads;
  production: boolean;
  config: Values<typeof CONNECTIONS_SETTINGS>;
}

/** Dependencies of vault and OAuth. */
export interface ConnectionsBase extends ConnectionsOptions {
  db: Database['db'];
  reads: Database['reads'];
  countRefresh: CountRefresh;
}
