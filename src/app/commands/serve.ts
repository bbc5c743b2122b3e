import { setTimeout as sleep } from 'node:timers/promises';
import { givenSettings } from '#core/config/config.ts';
import { createLog, type Log } from '#core/log.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import { type App, type AppOptions, createApp } from '../app.ts';
import { readProgramConfig, SETTINGS, whyProduction } from '../settings.ts';
import { type Command, noArguments } from './command.ts';
import { fillCacheLater } from './fill-cache.ts';
import { nextSignal } from './signals.ts';

/** What still runs when this has passed after a signal is cut off. */
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

/** Several serving threads are loaded where there are to be some. */
async function open(options: AppOptions): Promise<App & { broken: Promise<Error> }> {
  if (options.role === 'serve' && options.config.server.threads > 1)
    return (await import('../serving.ts')).openServing({ ...options, role: 'serve' });
  return { ...(await createApp(options)), broken: new Promise(() => {}) };
}

/** Five processes at once: whoever opens the first page as soon as the service is ready has the processor first. */
const PROVE_AFTER_MS = 5_000;

/** After the start, not before it: whoever runs a script earlier has the test begin, and waits for the same answer. */
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
