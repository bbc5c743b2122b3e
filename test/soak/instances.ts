import { catalogueChecks } from '../instances/catalogue.ts';
import { runChecks } from '../instances/check.ts';
import { clientChecks } from '../instances/clients.ts';
import { COUNTED_LIMITS, countingChecks } from '../instances/counting.ts';
import { killingChecks } from '../instances/killing.ts';
import { findNginx } from '../instances/nginx.ts';
import { signingInChecks } from '../instances/signing-in.ts';
import { openStand } from '../instances/stand.ts';
import { workingChecks } from '../instances/working.ts';
import { startPostgres } from '../postgres.ts';

/**
 * `npm run soak -- instances [seed] [words of names…]`: three `serve` and two `work` on one PostgreSQL behind nginx, which sends each
 * request to the next of them. Everything that one instance began goes on at another.
 */
const [seed = '1', ...only] = process.argv.slice(2);

const nginx = await findNginx();
if ('missing' in nginx) {
  process.stdout.write(`skipped: ${nginx.missing}\n`);
  process.exit(0);
}
const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
try {
  await using stand = await openStand({
    nginx: nginx.path,
    serve: 3,
    work: 2,
    seed: Number(seed),
    env: COUNTED_LIMITS,
  });
  const checks = [
    ...signingInChecks(),
    ...countingChecks(),
    ...workingChecks(),
    ...clientChecks(),
    ...catalogueChecks(),
    ...killingChecks(),
  ];
  const chosen = checks.filter(({ name }) => only.length === 0 || only.some((it) => name.includes(it)));
  process.stdout.write(`seed ${seed}: ${chosen.length} checks\n`);
  if ((await runChecks(stand, chosen)) > 0) process.exitCode = 1;
} finally {
  await postgres.stop();
}
