import { urlVariable } from '#catalog/items/settings.ts';
import { type Check, type Finding, ok, warn } from '#core/doctor/check.ts';
import type { Reached } from './reach-providers.ts';

/** Whether the providers can be reached through the egress guard. */
export const egressCheck = (reach: (signal: AbortSignal) => Promise<Reached[]>): Check => ({
  name: 'egress',
  run: async (signal) => {
    const reached = await reach(signal);
    if (reached.length === 0) return [ok('CAPSTAN_PROVIDERS is off.')];
    const away = reached.flatMap(({ problem, ...rest }) => (problem === null ? [] : [{ ...rest, problem }]));
    if (away.length === reached.length) return [allUnreachable(away)];
    const found = away.map(({ id, title, problem }) =>
      warn(
        `${title} is unreachable: ${problem.message}`,
        `allow outbound access to it, or set a mirror: ${urlVariable(id)}=https://…`,
      ),
    );
    return [ok(`${reached.length - away.length} of ${reached.length} providers are reachable.`), ...found];
  },
});

/** One finding for all providers instead of eight. */
const allUnreachable = (away: readonly { host: string; problem: { message: string } }[]): Finding =>
  warn(
    `No outbound network access: none of ${away.length} providers is reachable, such as ${away[0]?.host}. ${away[0]?.problem.message}`,
    'offline: set CAPSTAN_PROVIDERS=off and run capstand import FILE; with mirrors: set CAPSTAN_PROVIDER_…_URL',
  );
