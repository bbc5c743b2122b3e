import { parseArgs } from 'node:util';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { type Config, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

/** Longer than the timeout of the service's own checks. */
const TIMEOUT_MS = 3_000;
const MAX_BYTES = 65_536;

export const healthCommand: Command = {
  summary: 'check whether the local service is ready',
  usage: `health [--live] [URL]

  --live   check liveness only, not the database and catalog
  URL      base URL of the service; default: from PORT and HOST, or CAPSTAN_METRICS_PORT
Exit codes: 0 healthy; 1 unhealthy or unreachable.`,
  run: async (argv) => {
    const { values, positionals } = parseArgs({
      args: argv,
      options: { live: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const base = positionals[0] ?? ownAddress(readProgramConfig(process.env));
    const url = `${base.replace(/(?<!\/)\/+$/, '')}${values.live ? '/healthz' : '/readyz'}`;
    const operator = openOperatorFetch();
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await operator.fetch(url, { signal, max_bytes: MAX_BYTES });
      process.stdout.write(`${(await answer.text()).trim()}\n`);
      return answer.ok ? 0 : 1;
    } catch (error) {
      process.stdout.write(`${url} is unreachable: ${(error as Error).message}\n`);
      return 1;
    } finally {
      await operator.close();
    }
  },
};

/** An address on this host; a wildcard address cannot be requested. */
function ownAddress({ server, health }: Config): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[server.host] ?? server.host;
  return `http://${host}:${health.metrics_port || server.port}`;
}
