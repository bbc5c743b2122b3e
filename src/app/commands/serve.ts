import { setTimeout as sleep } from 'node:timers/promises';
import { givenSettings } from '#core/config/config.ts';
import { createLog, type Log } from '#core/log.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { App, AppOptions } from '../app.ts';
import { readProgramConfig, SETTINGS, whyProduction } from '../settings.ts';
import { type Command, noArguments } from './command.ts';
import { fillCacheLater } from './fill-cache.ts';
import { nextSignal } from './signals.ts';

/** Grace period after a signal before running work is aborted. */
const DRAIN_MS = 8_000;

export const serve: Command = {
  summary: 'serve requests and run jobs',
  usage: 'serve',
  run: (argv) => runUntilSignal('serve', argv),
};

export const work: Command = {
  summary: 'run jobs without serving requests',
  usage: 'work',
  run: (argv) => runUntilSignal('work', argv),
};

async function runUntilSignal(role: 'serve' | 'work', argv: string[]): Promise<number> {
  noArguments(argv);
  const config = readProgramConfig(process.env);
  const log = createLog(config.server.log_level);
  const signalled = nextSignal();
  const app = await open({ config, log, role, given_settings: givenSettings(SETTINGS, process.env) });
  const stopping = new AbortController();
  try {
    const listening = role === 'serve' ? await app.listen() : null;
    const watched = await app.listenForWatchers();
    if (listening !== null) log.info({ url: listening.url }, 'Capstan is ready');
    const why = whyProduction(config);
    if (why !== null && config.server.public_url === null)
      log.warn(
        { production_by: why },
        'PUBLIC_URL is not set: links use HOST and PORT, and other host names are rejected',
      );
    if (watched !== null) log.info({ url: watched.url }, 'health and metrics are served on a separate port');
    void proveSandbox(app.sandbox, log, stopping.signal);
    void fillCacheLater(stopping.signal);
    const end = await Promise.race([signalled, app.broken]);
    if (end instanceof Error) {
      log.fatal({ error: end }, 'stopping');
      return 1;
    }
    log.info({ signal: end }, 'stopping');
  } finally {
    stopping.abort();
    await app.close(DRAIN_MS);
  }
  return 0;
}

/** Loaded after the settings are read, and the code for several threads only if they are configured. */
async function open(options: AppOptions): Promise<App & { broken: Promise<Error> }> {
  if (options.role === 'serve' && options.config.server.threads > 1)
    return (await import('../serving.ts')).openServing({ ...options, role: 'serve' });
  const { createApp } = await import('../app.ts');
  return { ...(await createApp(options)), broken: new Promise(() => {}) };
}

/** The test starts five processes, so the first visitors go first. */
const PROVE_AFTER_MS = 5_000;

/** Runs after startup. A script that runs earlier starts the test and waits for the same result. */
async function proveSandbox(sandbox: Sandbox, log: Log, stopping: AbortSignal): Promise<void> {
  await sleep(PROVE_AFTER_MS, undefined, { signal: stopping, ref: false }).catch(() => {});
  if (stopping.aborted) return;
  try {
    const { ok, reason } = await sandbox.selfTest();
    if (ok) log.info({ isolation: sandbox.isolation }, 'scripts run in a sandbox');
    else if (!stopping.aborted) log.warn({ isolation: sandbox.isolation, reason }, 'scripts are disabled');
  } catch (error) {
    log.error({ error }, 'sandbox self-test failed');
  }
}
