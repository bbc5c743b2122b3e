import { defined } from '#core/defined.ts';
import { type Check, fail, ok, warn } from '#core/doctor/check.ts';
import { type BoxIsolation, isWeaker } from '#runtime/boxes/box.ts';
import { openBoxDriver } from '#runtime/boxes/open-box-driver.ts';

const CONTAINERS_MS = 90_000;

/** Whether packages can be run here: the attacks of the self-test, in real boxes. */
export const boxesCheck = ({
  runtime,
  container_runtime,
  runtime_min,
}: {
  runtime: 'auto' | 'bwrap' | 'podman' | 'docker' | 'off';
  container_runtime: string | null;
  runtime_min: BoxIsolation;
}): Check => ({
  name: 'packages',
  // An engine takes about half a second to start a container, and the self-test starts many.
  ...defined({
    timeout_ms: runtime === 'auto' || runtime === 'bwrap' || runtime === 'off' ? undefined : CONTAINERS_MS,
  }),
  run: async () => {
    if (runtime === 'off') return [ok('Packages are switched off (CAPSTAN_RUNTIME=off).')];
    const boxes = await openBoxDriver({ runtime, container_runtime });
    try {
      const { ok: holds, isolation, text, fix } = await boxes.selfTest();
      if (!holds || isolation === null) {
        const tell = runtime === 'auto' ? warn : fail;
        return [tell(`Packages are not run here. ${text}`, fix ?? 'docs/errors/runs.unavailable.md')];
      }
      if (isWeaker(isolation, runtime_min))
        return [
          fail(
            `Packages are not run here: boxes are held by ${isolation}, and CAPSTAN_RUNTIME_MIN asks for ${runtime_min}.`,
            `CAPSTAN_RUNTIME_MIN=${isolation}, or the stronger isolation: ${fix ?? text}`,
          ),
        ];
      return [ok(text)];
    } finally {
      await boxes.close();
    }
  },
});
