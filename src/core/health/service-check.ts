import { type Check, fail, ok, warn } from '#core/doctor/check.ts';
import { SERVICE } from '#core/service.ts';
import { askHealth } from './ask-health.ts';

/** Checks that the service runs at the configured address and uses this database. */

interface ServiceCheckDeps {
  host: string;
  port: number;
  /** Instance id of the configured database; null if unknown. */
  instance: string | null;
}

export const serviceCheck = ({ host, port, instance }: ServiceCheckDeps): Check => ({
  name: 'service',
  run: async (signal) => {
    if (port === 0) return [ok('PORT is 0: the service listens on a free port shown in its log.')];
    const url = `http://${addressOf(host)}:${port}`;
    const said = await askHealth(url, signal);
    if (said.kind === 'nobody') return [ok(`Not running: no response from ${url}.`)];
    if (said.kind !== 'ours')
      return [
        fail(
          `Another program responds at ${url}.`,
          `Set PORT to a free port, or stop the program that uses it: ss -ltnp sport = :${port}`,
        ),
      ];
    if (instance !== null && said.instance !== instance)
      return [
        fail(
          `The service at ${url} uses another database than these settings.`,
          'Run capstand doctor with the settings of the service: the same DATA_DIR, DATABASE_URL and CAPSTAN_CONFIG_FILE',
        ),
      ];
    const seen = `Running at ${url}, version ${said.version}.`;
    return [
      said.version === SERVICE.version
        ? ok(seen)
        : warn(`${seen} This program is version ${SERVICE.version}.`, 'Restart the service'),
    ];
  },
});

/** A service that listens on all addresses is also reachable there. */
const addressOf = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
