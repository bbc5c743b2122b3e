import { authHoldings } from '#accounts/auth/holdings.ts';
import type { Holding } from '#accounts/users/holding.ts';
import { tracesHolding } from '#accounts/users/traces-holding.ts';
import { readEarlier } from '#catalog/details/earlier-versions.ts';
import { capabilityIdOf as readCapabilityId } from '#catalog/identity/capabilities.ts';
import type { ReadCapabilityId } from '#catalog/items/capability-id.ts';
import { readStats } from '#catalog/items/read-stats.ts';
import { itemsRoutes } from '#catalog/items/routes.ts';
import { refuseWhileWarmingUp } from '#catalog/items/warming-up.ts';
import { refuseWhileBuilding } from '#catalog/search/marketplace-index.ts';
import { syncRoutes } from '#catalog/sync/routes.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import { defined } from '#core/defined.ts';
import { healthRoutes } from '#core/health/routes.ts';
import { type Bound, bind, bindLater, bindTogether } from '#core/http/bind.ts';
import type { Pages } from '#core/http/pages.ts';
import { forgetKeysOf, listKeysOf } from '#core/replays/held-keys.ts';
import type { Offer } from '#core/tools/offer.ts';
import { ownItems } from '#marketplace/listings/own-items.ts';
import { grantsHolding } from '#runtime/grants/holding.ts';
import { harnessesHolding } from '#runtime/harnesses/holding.ts';
import { receiptsHolding } from '#runtime/receipts/holding.ts';
import { rigsHolding } from '#runtime/rigs/holding.ts';
import { agentsHolding } from '#surfaces/agent/holding.ts';
import { CONTRACT, CONTRACT_VERSION, OPERATIONS } from './contract.ts';
import { toolSearchDeps } from './discovery-search.ts';
import type { Parts } from './parts.ts';
import { ERRORS } from './problems.ts';
import { agentsOf, protocolsOf } from './protocols.ts';

const { wallets, email, google, signIns, devices, deviceKeys, proofOfWork, oauth, consent } = CONTRACT.accounts;
const WAYS = { wallets, email, google, signIns, devices, deviceKeys, proofOfWork, oauth, consent };
const { servers, agentSkills, documents } = CONTRACT.surfaces;

/** Binds every operation of the contract to its handler. `offer` is for models; `pages` are the web pages. */
export function allOperations(parts: Parts, offer: () => Promise<Offer>, pages: Pages): Bound[] {
  const { config, db, catalog, search, clock, skills, auth, probes, connections, rigs, tasks, base_url } = parts;
  const { public_url } = config.server;
  const enabled = config.registry.providers;
  const stats = readStats({ catalog, db, enabled, readCoverage: probes.readCoverage });
  return [
    ...userOperations(parts),
    ...bindTogether(WAYS, async () => (await import('#accounts/open-ways.ts')).openWays(auth.deps)),
    ...bind(CONTRACT.catalog.sync, syncRoutes({ db, enabled, clock, sync: parts.sync })),
    ...bind(
      CONTRACT.catalog.items,
      itemsRoutes({
        db,
        catalog,
        search,
        clock,
        public_url,
        stats,
        runnable: probes.readRunnable,
        probeAsked: probes.probeAsked,
        ...listingReaders(parts),
        ensureDetail: parts.sync.details.ensure,
        readDetails: parts.sync.details.read,
        readFile: parts.sync.details.file,
        readIcon: parts.sync.details.icon,
        blobs: parts.blobs,
        flagged: parts.marketplace.flagged,
        own: ownItems({ skills: skills.skills, published_cache: parts.marketplace.deps.published_cache }),
      }),
    ),
    ...bindLater(CONTRACT.runtime.skills, async () => (await import('#runtime/skills/routes.ts')).skillsRoutes(skills)),
    ...bindLater(CONTRACT.runtime.grants, async () => {
      const { grantsRoutes } = await import('#runtime/grants/routes.ts');
      return grantsRoutes({ ...parts, scripts: parts.packaged.scripts });
    }),
    ...bindLater(CONTRACT.core.audit, async () => (await import('#core/audit/routes.ts')).auditRoutes(parts)),
    ...bindLater(CONTRACT.core.doctor, async () => {
      const { doctorRoutes } = await import('#core/doctor/routes.ts');
      const { examine } = await import('./commands/doctor.ts');
      return doctorRoutes({ clock, examine: () => examine(config) });
    }),
    ...bindLater(CONTRACT.core.traces, async () => (await import('#core/traces/routes.ts')).tracesRoutes(parts)),
    ...bindTogether(CONTRACT.connections, async () => {
      const { connectionsWingRoutes } = await import('#connections/routes.ts');
      return connectionsWingRoutes(connections.deps);
    }),
    ...harnessOperations(parts),
    ...bindLater(CONTRACT.runtime.rigs, async () => (await import('#runtime/rigs/routes.ts')).rigsRoutes(rigs.deps)),
    ...bindLater(CONTRACT.runtime.receipts, async () =>
      (await import('#runtime/receipts/routes.ts')).receiptsRoutes(parts),
    ),
    ...bindLater(CONTRACT.runtime.tasks, async () =>
      (await import('#runtime/tasks/routes.ts')).tasksRoutes(tasks.deps),
    ),
    ...bindLater(CONTRACT.runtime.trials, async () =>
      (await import('#runtime/trials/routes.ts')).trialsRoutes({ ...parts.trials.deps, log: parts.log, skills }),
    ),
    ...agentOperations(parts, offer),
    ...marketplaceOperations(parts),
    ...bindLater(CONTRACT.surfaces.mcp, async () => {
      const { mcpRoutes } = await import('#surfaces/mcp/routes.ts');
      return mcpRoutes(mcpOptions(parts, await offer()));
    }),
    ...bindLater(CONTRACT.surfaces.mine, async () => {
      const { mineRoutes } = await import('#surfaces/mine/routes.ts');
      const { allowed_origins } = config.server;
      return mineRoutes({
        ...parts,
        explain: explainDatabaseFailure,
        allowed_origins,
        connections: connections.deps,
        aidTools: parts.marketplace.deps.index.aidTools,
      });
    }),
    ...bindLater(CONTRACT.surfaces.discovery, () => discovery(parts, offer)),
    ...bindTogether({ servers, agentSkills, documents }, async () => {
      const { openInterop } = await import('#surfaces/interop/open-interop.ts');
      const { verification, published, flagged } = parts.marketplace;
      return openInterop({
        db,
        catalog,
        search,
        clock,
        skills,
        published,
        flagged,
        base_url,
        verification,
        earlier: readEarlier(parts),
        operations: OPERATIONS,
        security_contact: config.documents.security_contact,
      });
    }),
    ...healthOperations(parts, { is_serving: true }),
    ...bindLater(CONTRACT.surfaces.docs, async () => {
      const { docsRoutes } = await import('#surfaces/docs/routes.ts');
      return docsRoutes({
        operations: OPERATIONS,
        contract_version: CONTRACT_VERSION,
        errors: ERRORS,
        public_url,
        base_url,
        skills,
        answerPage: pages.answer,
        guides: async () => (await import('./guides.ts')).readGuides(),
        openapi: async () => (await import('./guides.ts')).readOpenApi(),
      });
    }),
  ];
}

/** Health and metrics, also available on a separate port. A process that only works is ready without the index of the search. */
export const healthOperations = (
  { config, metrics_text, database, catalog, index, instance }: Parts,
  { is_serving }: { is_serving: boolean },
): Bound[] =>
  bind(
    CONTRACT.core.health,
    healthRoutes({
      instance,
      metrics: metrics_text,
      metrics_token: config.health.metrics_token,
      checks: {
        database: database.ping,
        catalog: async () => refuseWhileWarmingUp(catalog),
        ...defined({ search: is_serving ? async () => refuseWhileBuilding(index) : undefined }),
      },
    }),
  );

/** What the marketplace adds to the details of a provider's listing. */
function listingReaders({ db, database, marketplace }: Parts) {
  const connection = connectionOver(db, database.engine);
  const capabilityIdOf: ReadCapabilityId = ({ provider_id, external_id }) =>
    readCapabilityId(connection, provider_id, external_id);
  return { capabilityIdOf, verification: marketplace.verification };
}

const marketplaceOperations = ({ marketplace }: Parts): Bound[] =>
  bindTogether(CONTRACT.marketplace, async () => {
    const { marketplaceRoutes } = await import('#marketplace/routes.ts');
    return marketplaceRoutes(marketplace.deps);
  });

/** Harnesses with memory and context, which share limits and storage. */
function harnessOperations({ db, clock, storage, config }: Parts): Bound[] {
  const { harnesses, memory, context } = CONTRACT.runtime;
  const deps = { db, clock, storage, limits: config.harnesses };
  return [
    ...bindLater(harnesses, async () => (await import('#runtime/harnesses/routes.ts')).harnessesRoutes(deps)),
    ...bindLater(memory, async () => (await import('#runtime/memory/routes.ts')).memoryRoutes(deps)),
    ...bindLater(context, async () => (await import('#runtime/context/routes.ts')).contextRoutes(deps)),
  ];
}

/** Collects everything stored for accounts, so that each export and deletion includes all of it. */
function userOperations({ database, clock, log, storage, auth, marketplace, connections, tasks }: Parts): Bound[] {
  const { users, apiKeys } = CONTRACT.accounts;
  return bindTogether({ users, apiKeys }, async () => {
    const { usersRoutes } = await import('#accounts/users/routes.ts');
    const { apiKeysRoutes } = await import('#accounts/api-keys/routes.ts');
    const deps = {
      database,
      clock,
      log,
      storage,
      canonicalAddress: auth.canonicalAddress,
      findPublisher: marketplace.findPublisher,
      holdings: [
        ...authHoldings,
        idempotencyKeys,
        tracesHolding,
        receiptsHolding,
        connections.holding,
        harnessesHolding,
        rigsHolding,
        grantsHolding,
        tasks.holding,
        agentsHolding,
        ...marketplace.holdings,
      ],
    };
    return { users: usersRoutes(deps), apiKeys: apiKeysRoutes(deps) };
  });
}

/** The agent and its turns, loaded on first use, and its A2A endpoint. */
function agentOperations(parts: Parts, offer: () => Promise<Offer>): Bound[] {
  const { config } = parts;
  const { agent, conversations, a2a } = CONTRACT.surfaces;
  const open = async () => {
    const { openAgents } = await import('#surfaces/agent/open-agents.ts');
    const { questions } = parts.connections.deps;
    const more = { offer: await offer(), explain: explainDatabaseFailure, config: config.agents, questions };
    return openAgents({ ...parts, ...more });
  };
  let opening: ReturnType<typeof open> | undefined;
  const agents = () => {
    opening ??= open();
    return opening;
  };
  return [
    ...bindTogether({ agent, conversations }, async () => (await agents()).routes),
    ...bindLater(a2a, async () => {
      const { a2aRoutes } = await import('#surfaces/a2a/routes.ts');
      return a2aRoutes({ ...parts, agents: await agents() });
    }),
  ];
}

async function discovery(parts: Parts, offer: () => Promise<Offer>) {
  const { discoveryRoutes } = await import('#surfaces/discovery/routes.ts');
  const { clock, skills, hot } = parts;
  const site = { operations: OPERATIONS, public_url: parts.config.server.public_url };
  return discoveryRoutes({
    ...toolSearchDeps(parts, async () => (await offer()).tools),
    clock,
    hot,
    protocols: protocolsOf(site),
    agents: () => agentsOf(site, skills.skills),
  });
}

const mcpOptions = (parts: Parts, offer: Offer) => ({
  ...parts,
  offer,
  explain: explainDatabaseFailure,
  config: parts.config.mcp,
  allowed_origins: parts.config.server.allowed_origins,
});

const idempotencyKeys: Holding = {
  name: 'idempotency_keys',
  read: (db, { user_id }) => listKeysOf(db, user_id),
  erase: (trx, { user_id }) => forgetKeysOf(trx, user_id),
};
