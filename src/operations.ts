import { CONTRACT, CONTRACT_VERSION, OPERATIONS } from './contract.ts';
import { authHoldings } from './features/auth/holdings.ts';
import { loadErrorPages } from './features/docs/error-pages.ts';
import { docsRoutes } from './features/docs/routes.ts';
import { receiptsRoutes } from './features/receipts/routes.ts';
import { readStats } from './features/registry/read-stats.ts';
import { registryRoutes } from './features/registry/routes.ts';
import { refuseWhileWarmingUp } from './features/registry/warming-up.ts';
import { skillsRoutes } from './features/skills/routes.ts';
import { tracesHolding } from './features/traces/holding.ts';
import { tracesRoutes } from './features/traces/routes.ts';
import type { Holding } from './features/users/holding.ts';
import { usersRoutes } from './features/users/routes.ts';
import type { Parts } from './parts.ts';
import { healthRoutes } from './platform/health/routes.ts';
import type { Contract, Handler, OperationBase, Routes } from './platform/http/operation.ts';
import { forgetKeysOf, listKeysOf } from './platform/replays/held-keys.ts';
import { PROBLEMS } from './problems.ts';

export type Bound = { operation: OperationBase; handler: Handler };

/** Every operation of the contract with what answers it. */
export async function allOperations(parts: Parts): Promise<Bound[]> {
  const { config, database, db, catalog, clock, log, skills, metrics, auth, probes, sessions, tasks, base_url } = parts;
  const { public_url } = config.server;
  const enabled = config.registry.providers;
  const stats = readStats({ catalog, db, enabled });
  return [
    ...bind(
      CONTRACT.users,
      usersRoutes({
        ...{ database, clock, log, canonicalAddress: auth.canonicalAddress },
        findPublisher: async () => null,
        holdings: [...authHoldings, idempotencyKeys, tracesHolding, sessions.holding, tasks.holding],
      }),
    ),
    ...bind(CONTRACT.auth, auth.routes),
    ...bind(
      CONTRACT.registry,
      registryRoutes({ db, catalog, clock, public_url, enabled, stats, runnable: probes.readRunnable }),
    ),
    ...bind(CONTRACT.skills, skillsRoutes(skills)),
    ...bind(CONTRACT.traces, tracesRoutes(parts)),
    ...bind(CONTRACT.sessions, sessions.routes),
    ...bind(CONTRACT.receipts, receiptsRoutes(parts)),
    ...bind(CONTRACT.tasks, tasks.routes),
    ...bind(
      CONTRACT.health,
      healthRoutes({
        metrics,
        checks: { database: database.ping, catalog: async () => refuseWhileWarmingUp(catalog) },
      }),
    ),
    ...bind(
      CONTRACT.docs,
      docsRoutes({
        ...{ operations: OPERATIONS, contract_version: CONTRACT_VERSION, problems: PROBLEMS },
        ...{ public_url, base_url, pages: await loadErrorPages() },
        ...{ catalog, stats, skills, clock },
      }),
    ),
  ];
}

const idempotencyKeys: Holding = {
  name: 'idempotency_keys',
  read: (db, { user_id }) => listKeysOf(db, user_id),
  erase: (trx, { user_id }) => forgetKeysOf(trx, user_id),
};

/** Handlers are typed against their own operation; the router sees them all alike. */
const bind = <C extends Contract>(contract: C, routes: Routes<C>): Bound[] =>
  Object.entries(contract).map(([name, operation]) => ({ operation, handler: routes[name as keyof C] as Handler }));
