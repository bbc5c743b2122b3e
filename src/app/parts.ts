import { type Auth, createAuth } from '#accounts/auth/auth.ts';
import { countQuota } from '#accounts/quotas/count-quota.ts';
import { storageGate, storageLimits } from '#accounts/quotas/storage.ts';
import { refuseOtherKey } from '#accounts/tokens/keys-held.ts';
import { readSeq } from '#catalog/changes/changes.ts';
import { databaseIdentity } from '#catalog/changes/database-identity.ts';
import type { EnsureDetail } from '#catalog/details/fetch-details.ts';
import { touchProbed } from '#catalog/identity/capabilities.ts';
import { linkWorker } from '#catalog/identity/worker.ts';
import type { ReadRunnable } from '#catalog/items/runnable.ts';
import { openProbes } from '#catalog/probes/open-probes.ts';
import { expireFeedbackKinds, FEEDBACK_JOBS } from '#catalog/search/feedback/expire-feedback.ts';
import { NO_FEEDBACK, openFeedback } from '#catalog/search/feedback/feedback.ts';
import { gaugeIndexes } from '#catalog/search/index-metrics.ts';
import { openListingSearch } from '#catalog/search/listing-search.ts';
import { type Nearest, nearestNames } from '#catalog/search/nearest.ts';
import { openCatalog } from '#catalog/search/registry-index.ts';
import { gaugeSync } from '#catalog/sync/gauges.ts';
import { userAgent } from '#catalog/sync/provider-client.ts';
import { openConnections } from '#connections/connections/open-connections.ts';
import { openChangeFeed } from '#core/changes/change-feed.ts';
import { type Clock, systemClock } from '#core/clock/clock.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import { gaugeDatabase } from '#core/db/gauges.ts';
import { traceStatements } from '#core/db/traced.ts';
import { scheduleExpiry } from '#core/jobs/expiry.ts';
import { gaugeJobs } from '#core/jobs/gauges.ts';
import { type JobTable, jobTable } from '#core/jobs/jobs.ts';
import { countRefused } from '#core/limits/count-refused.ts';
import { instrumentedModels } from '#core/llm/instrumented.ts';
import { openModels, whyNoModel } from '#core/llm/models.ts';
import type { Log } from '#core/log.ts';
import { createSendMail } from '#core/mail/send-mail.ts';
import { createMetrics } from '#core/metrics/metrics.ts';
import { metricsOfThreads } from '#core/metrics/of-threads.ts';
import { instrumentedOutbound } from '#core/outbound/instrumented.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { tracedOutbound } from '#core/outbound/traced.ts';
import { SERVICE } from '#core/service.ts';
import { gaugeStorage } from '#core/storage/gauges.ts';
import { openTelemetry } from '#core/telemetry/open-telemetry.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import type { Tool } from '#core/tools/tool.ts';
import { openTracing } from '#core/traces/open-tracing.ts';
import { builtInSkillsOf } from '#marketplace/documents/built-in-skills.ts';
import { openIndex } from '#marketplace/documents/open-index.ts';
import { carriedItems } from '#marketplace/featured/carried.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { openMarketplace } from '#marketplace/listings/open-marketplace.ts';
import { resolveMarketplace } from '#marketplace/listings/resolve-capability.ts';
import { openChecks } from '#marketplace/proof/checks/open-checks.ts';
import { openProof, type Proof } from '#marketplace/proof/open-proof.ts';
import { whyNoFiles } from '#runtime/bundles/source-of.ts';
import { openGrants } from '#runtime/grants/open-grants.ts';
import type { OwnPackagedServers } from '#runtime/packaged/open-packaged-servers.ts';
import type { RuntimeDeps } from '#runtime/packaged/open-runtime.ts';
import { packageRefusals, packageRules } from '#runtime/packaged/refuse-package.ts';
import { type OpenCallRecords, openCallRecords } from '#runtime/receipts/call-records.ts';
import { openRuns, type Runs } from '#runtime/runs/open-runs.ts';
import { promptRunner } from '#runtime/runs/prompt.ts';
import { openResolve } from '#runtime/runs/resolve.ts';
import { resolveConnection } from '#runtime/runs/resolve-connection.ts';
import { resolveHarness } from '#runtime/runs/resolve-harness.ts';
import { openRigs } from '#runtime/runs/rig/open-rigs.ts';
import { skillRunnable } from '#runtime/runs/skill-runnable.ts';
import { instrumentedSandbox } from '#runtime/sandbox/instrumented.ts';
import { openSandbox } from '#runtime/sandbox/open-sandbox.ts';
import { loadSkills, SKILLS_DIR, type SkillStore } from '#runtime/skills/load-skills.ts';
import { openTasks } from '#runtime/tasks/open-tasks.ts';
import { openTrials } from '#runtime/trials/open-trials.ts';
import { atWork } from '#surfaces/agent/at-work.ts';
import { openHot } from '#surfaces/discovery/hot.ts';
import { baseUrl } from './addresses.ts';
import { CONTRACT_VERSION, OPERATIONS } from './contract.ts';
import { detailBlobsDir, type OwnDatabase, openDetailBlobs } from './database.ts';
import { openPackaged } from './packaged.ts';
import { openProofs } from './proofs.ts';
import { type Config, isProduction, whyProduction } from './settings.ts';
import { openSync } from './sync.ts';

/** The parts of the service, each opened once from top to bottom: dependencies come first. */

interface PartsOptions {
  config: Config;
  log: Log;
  clock?: Clock;
  /** Makes this process look for due jobs now. */
  wake(): void;
  /** The tools offered to models, which rigs may use. Default: none. */
  ownTools?(): Promise<readonly Tool[]>;
  /** The serving threads of this process. */
  threads?: Threads;
  /** The first-party skills if already loaded. */
  skills?: SkillStore;
  /** Boxes for installations in place of the runtime's own, for tests with a registry on loopback. */
  install?: RuntimeDeps['install'];
}

/** Of one run that the service does for itself. */
const CHECK_TIMEOUT_MS = 20_000;

export type Parts = Awaited<ReturnType<typeof openParts>>;

export async function openParts(options: PartsOptions, opened: OwnDatabase) {
  const base = await openBase(options, opened);
  const catalog = await openOwnCatalog(base, opened);
  const auth = openAuth(base);
  const packaged = openPackaged(base, options.install);
  const probes = openProbing(base, packaged);
  const proofs = openProofs(base);
  const call_records = openCallRecords({ ...base, calls_per_day: base.config.receipts.calls_per_day });
  const proof = openProof({ ...base, ...proofs });
  const runnable = probes.readRunnable;
  const ensureDetail = catalog.sync.details.ensure;
  const search_models = {
    config: base.config.search,
    registry: base.metrics.registry,
    // Opened below.
    models: { pick: (id?: string | null) => running.models.pick(id) },
  };
  const has_model = whyNoModel(base.config.llm) === null;
  const index = openIndex({
    ...base,
    search_models,
    database: opened.database_config,
    identity: catalog.identity,
    skills: builtInSkillsOf(base.skills.skills),
    has_model,
    blobs_dir: detailBlobsDir(base.data_dir),
  });
  const search = openListingSearch({ catalog: catalog.catalog, index });
  const nearest = nearestNames({ search, skills: base.skills.skills });
  const running = openRunning(
    { ...base, ...proofs, auth, packaged, proved: proof.proved, runnable, ensureDetail, call_records, nearest },
    options,
  );
  const checks = openChecks({
    ...base,
    ...proofs,
    ...running,
    config: base.config.proof,
    proved: proof.proved,
    timeout_ms: CHECK_TIMEOUT_MS,
    skip: base.config.probes.skip,
    skills: base.skills.skills.flatMap((skill) => (skill.execution_class === 'scripted' ? [skill.name] : [])),
  });
  const marketplace = openMarketplace({
    ...base,
    ...catalog,
    index,
    has_model,
    limits: base.config.marketplace,
    search_models,
    wallets: auth.deps.wallets,
    runnable,
    readDetails: catalog.sync.details.read,
    fetch: base.outbound.fetch,
    github_url: base.config.execution.github_url,
    rigs: running.rigs,
    nearest,
    carried: carriedItems({ ...base.skills, whyUnavailable: skillRunnable(running.runs.resolve) }),
  });
  const feedback = openOwnFeedback(base, marketplace.deps);
  gaugeIndexes(base.metrics.registry, base.clock, [catalog.watched, marketplace.watched]);
  const [stopping, ended] = [new AbortController(), new AbortController()];
  return {
    ...base,
    ...catalog,
    ...proofs,
    ...running,
    packaged,
    auth,
    probes,
    proof,
    checks,
    turns: atWork({ ...base.config.agents, threads: base.threads }),
    marketplace,
    index,
    search,
    feedback,
    nearest,
    linking: linkWorker({ ...base, database_config: opened.database_config }),
    hot: openHot({ ...base, engine: base.database.engine }),
    /** `stopping` aborts when the process begins to stop, `ended` when it no longer answers. */
    stopping: stopping.signal,
    ended: ended.signal,
    stop: () => stopping.abort(),
    close: async () => {
      ended.abort();
      // Both wait for the collector, up to its timeout.
      await Promise.all([running.close(), base.telemetry.close()]);
      await packaged.close();
      await feedback.close();
      await marketplace.close();
      await catalog.catalog.close();
      await base.changes.close();
      await base.outbound.close();
      await base.database.close();
    },
  };
}

type Base = Awaited<ReturnType<typeof openBase>>;

/** Opens what all other parts depend on. */
async function openBase(
  { config, log, clock = systemClock, wake, threads = ALONE, skills }: PartsOptions,
  { database, database_config, data_dir }: OwnDatabase,
) {
  const production = isProduction(config);
  const metrics = createMetrics();
  const { registry } = metrics;
  const { db } = database;
  gaugeDatabase(registry, database, clock);
  const metrics_text = metricsOfThreads(threads, registry);
  // At the end, the first thread is alone, and a sum without the others would decrease.
  const pushed = threads.number === 1 ? { read: metrics_text.values, at_end: threads.count === 1 } : null;
  const telemetry = await openTelemetry({ config: config.telemetry, log, registry, metrics: pushed });
  const { spans } = telemetry;
  if (spans !== null) traceStatements(database, spans);
  const outbound = instrumentedOutbound(
    createOutbound({ allow_loopback: !production, user_agent: SERVICE.title }),
    registry,
  );
  const keys = await openSecretKeys({
    written: config.auth.secret_key,
    may_make: !production,
    why_needed: whyProduction(config),
    data_dir,
  });
  await refuseOtherKey(db, keys);
  const storage_meter = gaugeStorage(registry, { db, clock });
  return {
    config,
    log,
    clock,
    wake,
    threads,
    database,
    data_dir,
    production,
    db,
    metrics,
    metrics_text,
    telemetry,
    base_url: baseUrl(config),
    keys,
    jobs: jobTable(database, clock),
    blobs: openDetailBlobs(data_dir),
    changes: openChangeFeed({ database, database_config, log }),
    outbound: spans === null ? outbound : tracedOutbound(outbound, spans),
    meter: gaugeJobs(registry, { db, clock }),
    countQuota: countQuota(registry),
    onLimited: countRefused(registry),
    storage_meter,
    storage: storageGate(storageLimits(config.users.storage_mb), storage_meter.refused),
    skills: skills ?? (await loadSkills(SKILLS_DIR)),
  };
}

async function openOwnCatalog(base: Base, { database_config, data_dir }: OwnDatabase) {
  const { config, db, jobs, clock, log, outbound, metrics, threads, changes } = base;
  gaugeSync(metrics.registry, { db, clock, enabled: config.registry.providers });
  // Includes the contract's version, so that a changed item format meets no old snapshot or validator.
  const instance = await databaseIdentity(db);
  const identity = `${instance}-${CONTRACT_VERSION}`;
  const catalog = openCatalog({ database: database_config, identity, data_dir, log, changes, threads });
  return {
    instance,
    identity,
    catalog,
    watched: {
      index: 'registry',
      facts: catalog.facts,
      newest: async () => (await readSeq(db)).current,
    },
    sync: openSync({ config, db, jobs, clock, log, fetch: outbound.fetch, blobs: base.blobs }),
  };
}

function openAuth(base: Base) {
  const { config, data_dir, clock, log } = base;
  const sendMail = createSendMail({ config: config.mail, data_dir, clock, log });
  return createAuth({
    ...base,
    sendMail,
    limits: config.limits,
    config: config.auth,
    operations: OPERATIONS,
  });
}

/** Counts what is searched for, unless that is turned off. Old counts expire even then. */
function openOwnFeedback({ config, db, clock, log, keys }: Base, { index }: Pick<MarketplaceDeps, 'index'>) {
  const { mode, kept_ms } = config.search_feedback;
  return {
    ...(mode === 'on' ? openFeedback({ db, clock, log, index, keys }) : NO_FEEDBACK),
    kinds: expireFeedbackKinds({ db, clock, kept_ms }),
    schedule: async (jobs: Pick<JobTable, 'put'>) => {
      for (const kind of FEEDBACK_JOBS) await scheduleExpiry(jobs, kind);
    },
  };
}

/** Probes identify this program and the address of its operator. */
function openProbing(base: Base, servers: OwnPackagedServers) {
  const { config, base_url, outbound } = base;
  const user_agent = userAgent(SERVICE.version, base_url);
  const { public_url } = config.server;
  return openProbes({
    ...base,
    user_agent,
    public_url,
    whyNoFiles,
    servers,
    refusePackage: servers.refusal,
    refuseBySettings: packageRefusals(config.runtime),
    package_rules: packageRules(config.runtime),
    fetch: outbound.fetch,
    config: config.probes,
    toolsChecked: touchProbed,
  });
}

/** Opens the runners of capabilities and their tasks. */
function openRunning(
  base: Base &
    ReturnType<typeof openProofs> & {
      auth: Auth;
      proved: Proof['proved'];
      runnable: ReadRunnable;
      ensureDetail: EnsureDetail;
      packaged: OwnPackagedServers;
      call_records: OpenCallRecords;
      nearest: Nearest;
    },
  { ownTools = async () => [] }: Pick<PartsOptions, 'ownTools'>,
) {
  const { config, metrics, outbound, auth, threads, runnable, packaged } = base;
  const { clock, storage } = base;
  const tracing = openTracing({ ...base, room: { clock, storage, kb_per_hour: config.traces.kb_per_hour } });
  const connections = openConnections({
    ...base,
    packaged,
    tracing,
    fetch: outbound.fetch,
    config: config.connections,
    pageUser: auth.pageUser,
  });
  const sandbox = instrumentedSandbox(openSandbox(config.execution, threads), metrics.registry);
  const models = instrumentedModels(openModels(config.llm), metrics.registry);
  const prompt = promptRunner({ models });
  const rigs = openRigs({
    ...base,
    packaged,
    ...config.rigs,
    sandbox,
    models,
    fetch: outbound.fetch,
    ownTools,
    runs: () => runs,
  });
  const grants = openGrants({ db: base.db, clock, storage, keys: async () => base.keys });
  const resolve = openResolve({
    ...base,
    packaged,
    sandbox,
    fetch: outbound.fetch,
    config: config.execution,
    prompt,
    native: packaged.scripts,
    grants,
    clawhub_url: config.registry.provider_urls.clawhub,
    kinds: {
      capability: resolveMarketplace({
        ...base,
        sandbox,
        prompt,
        native: packaged.scripts,
        grants,
        rigs,
        runnable,
        connection: connectionOver(base.db, base.database.engine),
        resolve: (...asked) => resolve(...asked),
      }),
      connection: resolveConnection(connections.calls, base.base_url),
      rig: rigs.resolve,
      harness: resolveHarness({ ...base, rigs }),
    },
  });
  const runs: Runs = openRuns({ ...base, tracing, resolve, receipts: async () => base.receipts });
  const tasks = openTasks({
    ...base,
    ...config.tasks,
    runs,
    questions: connections.deps.questions,
    events_kept_ms: config.traces.retention_ms,
    trial_kept_ms: config.trials.kept_ms,
  });
  return {
    sandbox,
    runs,
    connections,
    tracing,
    models,
    rigs,
    tasks,
    trials: openTrials({ ...base, packaged, tasks: tasks.deps, config: config.trials }),
    close: async () => {
      await connections.close();
      await base.call_records.close();
      await sandbox.close();
      await models.close();
      await tracing.close();
    },
  };
}
