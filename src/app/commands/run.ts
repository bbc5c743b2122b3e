import { createInterface } from 'node:readline/promises';
import { Registry } from 'prom-client';
import { systemClock } from '#core/clock/clock.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { openModels } from '#core/llm/models.ts';
import { createLog } from '#core/log.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { SERVICE } from '#core/service.ts';
import { sendingOf } from '#core/telemetry/sending.ts';
import { openTracing } from '#core/traces/open-tracing.ts';
import { listSpans } from '#core/traces/spans.ts';
import { openGrants } from '#runtime/grants/open-grants.ts';
import type { Receipts } from '#runtime/receipts/receipts.ts';
import { openRuns } from '#runtime/runs/open-runs.ts';
import { promptRunner } from '#runtime/runs/prompt.ts';
import { openResolve } from '#runtime/runs/resolve.ts';
import { runCommand as run } from '#runtime/runs/run-command.ts';
import { openSandbox } from '#runtime/sandbox/open-sandbox.ts';
import { loadSkills, SKILLS_DIR } from '#runtime/skills/load-skills.ts';
import { baseUrl } from '../addresses.ts';
import { openDetailBlobs, openMigrated } from '../database.ts';
import { openPackaged } from '../packaged.ts';
import { openProofs } from '../proofs.ts';
import { isProduction, readProgramConfig } from '../settings.ts';
import { openSync } from '../sync.ts';
import type { Command } from './command.ts';
import { nextSignal } from './signals.ts';

export const runCommand: Command = {
  summary: 'run a skill or a listing, and print its trace',
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const { database, data_dir } = await openMigrated(config);
    const log = createLog(config.server.log_level === 'info' ? 'warn' : config.server.log_level);
    const tracing = openTracing({ db: database.db, log, telemetry: sendingOf(config.telemetry, log) });
    const sandbox = openSandbox(config.execution);
    const models = openModels(config.llm);
    const outbound = createOutbound({ allow_loopback: !isProduction(config), user_agent: SERVICE.title });
    const packaged = openPackaged({
      config,
      clock: systemClock,
      log,
      metrics: { registry: new Registry() },
      outbound,
      data_dir,
      production: isProduction(config),
    });
    const interrupted = new AbortController();
    void nextSignal().then((signal) => interrupted.abort(signal));
    try {
      const openKeys = () =>
        openSecretKeys({ written: config.auth.secret_key, may_make: !isProduction(config), data_dir });
      const skills = await loadSkills(SKILLS_DIR);
      const jobs = jobTable(database, systemClock);
      const sync = openSync({
        config,
        db: database.db,
        jobs,
        clock: systemClock,
        log,
        fetch: outbound.fetch,
        blobs: openDetailBlobs(data_dir),
      });
      const resolve = openResolve({
        packaged,
        ensureDetail: sync.details.ensure,
        db: database.db,
        clock: systemClock,
        skills,
        sandbox,
        data_dir,
        fetch: outbound.fetch,
        prompt: promptRunner({ models }),
        native: packaged.scripts,
        grants: openGrants({ db: database.db, clock: systemClock, storage: null, keys: openKeys }),
        config: config.execution,
        clawhub_url: config.registry.provider_urls.clawhub,
      });
      // Only a signed run needs the keys.
      let opened: Promise<Receipts> | undefined;
      const receipts = (): Promise<Receipts> => {
        opened ??= openKeys().then(
          (keys) => openProofs({ db: database.db, clock: systemClock, keys, base_url: baseUrl(config) }).receipts,
        );
        return opened;
      };
      return await run(argv, process, {
        ...openRuns({ db: database.db, clock: systemClock, tracing, resolve, receipts }),
        sandbox,
        tracing,
        findSkill: skills.get,
        env: process.env,
        ask: process.stdin.isTTY && process.stderr.isTTY ? askOnTerminal : null,
        readBundle: async (id) => (await receipts()).bundle(id),
        listSpans: (traceId) => listSpans(database.db, traceId),
        signal: interrupted.signal,
      });
    } finally {
      await packaged.close();
      await sandbox.close();
      await models.close();
      await outbound.close();
      await tracing.close();
      await database.close();
    }
  },
};

/** Answers whether the operator says yes. */
async function askOnTerminal(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
