import type { Routes } from '../../platform/http/operation.ts';
import type { JobKind } from '../../platform/jobs/worker.ts';
import type { Holding } from '../users/holding.ts';
import { type Connection, shownConnection } from './connection.ts';
import { listConnections } from './connections.ts';
import type { sessionsContract } from './contract.ts';
import { joinCredentials } from './credentials.ts';
import type { SessionsBase, SessionsOptions } from './deps.ts';
import { openOAuth } from './oauth.ts';
import { sessionsRoutes } from './routes.ts';
import { openVault } from './vault.ts';

/** The door to connections: their operations, their work for the worker, and their use by later features. */
export interface Sessions {
  routes: Routes<typeof sessionsContract>;
  kinds: Record<string, JobKind>;
  /** Has the repeated jobs done from now on. For processes that work. */
  schedule(): Promise<void>;
  holding: Holding;
  /** Ends the sessions with servers. */
  close(): Promise<void>;
}

export function openSessions(options: SessionsOptions): Sessions {
  const base: SessionsBase = { ...options, db: options.database.db };
  const vault = openVault(base);
  const oauth = openOAuth(base);
  const credentials = joinCredentials(vault, oauth);
  const deps = { ...base, vault, oauth, credentials, probe: async (it: Connection) => it };
  return {
    routes: sessionsRoutes(deps),
    kinds: {},
    schedule: async () => {},
    holding,
    close: async () => {},
  };
}

const MOST_EXPORTED = 10_000;

/** Connections fall with their owner's row; the export shows them without any secret. */
const holding: Holding = {
  name: 'connections',
  read: async (db, { user_id }) =>
    (await listConnections(db, user_id, { limit: MOST_EXPORTED, offset: 0 })).items.map(shownConnection),
};
