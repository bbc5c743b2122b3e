import { startPostgres } from '../postgres.ts';
import { catalogChecks } from './catalog.ts';
import { type Check, runChecks } from './check.ts';
import { clientChecks } from './clients.ts';
import { COUNTED_LIMITS, countingChecks } from './counting.ts';
import { findNginx } from './nginx.ts';
import { signingInChecks } from './signing-in.ts';
import { openStand, type StandOptions } from './stand.ts';
import { workingChecks } from './working.ts';

interface Soaking extends Pick<StandOptions, 'serve' | 'work' | 'env'> {
  /** In addition to those of work that continues on another instance. */
  more?: readonly Check[];
}

/** All checks, or those whose names have one of the words: `[seed] [words of names…]`. Sets the exit code. */
export async function soakInstances(
  { env, more = [], ...options }: Soaking,
  [seed = '1', ...only]: string[],
): Promise<void> {
  const nginx = await findNginx();
  if ('missing' in nginx) {
    process.stdout.write(`skipped: ${nginx.missing}\n`);
    return;
  }
  const postgres = await startPostgres();
  process.env.TEST_POSTGRES_URL = postgres.url;
  try {
    await using stand = await openStand({
      ...options,
      nginx: nginx.path,
      seed: Number(seed),
      env: { ...COUNTED_LIMITS, ...env },
    });
    const checks = [
      ...signingInChecks(),
      ...countingChecks(),
      ...workingChecks(),
      ...clientChecks(),
      ...catalogChecks(),
      ...more,
    ];
    const chosen = checks.filter(({ name }) => only.length === 0 || only.some((text) => name.includes(text)));
    process.stdout.write(`seed ${seed}: ${chosen.length} checks\n`);
    if ((await runChecks(stand, chosen)) > 0) process.exitCode = 1;
  } finally {
    await postgres.stop();
  }
}
