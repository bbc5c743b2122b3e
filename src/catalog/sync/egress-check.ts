import { urlVariable } from '#catalog/items/settings.ts';
import { type Check, type Finding, ok, warn } from '#core/doctor/check.ts';
import type { Reached } from './reach-providers.ts';

/** Whether there is a way out to the providers, through the guard that syncs go through. */
export const egressCheck = (reach: (signal: AbortSignal) => Promise<Reached[]>): Check => ({
  name: 'egress',
  look: async (signal) => {
    const reached = await reach(signal);
    if (reached.length === 0) return [ok('CAPSTAN_PROVIDERS is off: no provider is asked.')];
    const away = reached.flatMap(({ problem, ...rest }) => (problem === null ? [] : [{ ...rest, problem }]));
    if (away.length === reached.length) return [noWayOut(away)];
    const found = away.map(({ id, title, problem }) =>
      warn(
        `${title} is not reached: ${problem.message}`,
        `Let this machine reach it, or name a mirror: ${urlVariable(id)}=https://…`,
      ),
    );
    return [ok(`${reached.length - away.length} of ${reached.length} providers are reached.`), ...found];
  },
});

/** One plain word in place of the same eight times. */
const noWayOut = (away: readonly { host: string; problem: { message: string } }[]): Finding =>
  warn(
    `There is no way out: none of ${away.length} providers is reached, such as ${away[0]?.host}. ${away[0]?.problem.message}`,
    'Without a network set CAPSTAN_PROVIDERS=off and fill the catalogue by capstand import FILE; with mirrors name them in CAPSTAN_PROVIDER_…_URL',
  );
