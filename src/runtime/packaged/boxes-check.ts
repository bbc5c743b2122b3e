import { type Check, fail, ok, warn } from '#core/doctor/check.ts';
import { type BoxIsolation, isWeaker } from '#runtime/boxes/box.ts';
import type { BoxDriverConfig } from '#runtime/boxes/driver-config.ts';
import { openBoxDriver } from '#runtime/boxes/open-box-driver.ts';

/** For the 18 attacks of the self-test: one to two seconds on an idle machine, many times that on a busy one. */
const BOXES_MS = 60_000;
/** A container or a Pod takes about a second to start, and the self-test starts many. */
const CONTAINERS_MS = 240_000;

/** Whether packages can be run here: the attacks of the self-test, in real boxes. */
export const boxesCheck = (
  { runtime_min, ...config }: BoxDriverConfig & { runtime_min: BoxIsolation },
  data_dir: string,
): Check => ({
  name: 'packages',
  timeout_ms: ['auto', 'bwrap', 'off'].includes(config.runtime) ? BOXES_MS : CONTAINERS_MS,
  run: async () => {
    if (config.runtime === 'off') return [ok('Packages are switched off (CAPSTAN_RUNTIME=off).')];
    const boxes = await openBoxDriver(config, { data_dir });
    try {
      const { ok: holds, isolation, text, fix } = await boxes.selfTest();
      if (!holds || isolation === null) {
        const tell = config.runtime === 'auto' ? warn : fail;
        return [tell(`Packages are not run here. ${text}`, fix ?? 'docs/errors/runs.unavailable.md')];
      }
      if (isWeaker(isolation, runtime_min))
        return [
          fail(
            `Packages are not run here: boxes are isolated by ${isolation}, but CAPSTAN_RUNTIME_MIN requires ${runtime_min}.`,
            `CAPSTAN_RUNTIME_MIN=${isolation}, or the stronger isolation: ${fix ?? text}`,
          ),
        ];
      return [ok(text)];
    } finally {
      await boxes.close();
    }
  },
});
