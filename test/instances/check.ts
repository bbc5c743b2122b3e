import type { Stand } from './stand.ts';

/** One thing that has to hold over all instances. */
export interface Check {
  name: string;
  /** Throws where it does not hold. Answers what was measured. */
  run(stand: Stand): Promise<string>;
}

/** Runs all, whatever becomes of the ones before. Answers how many did not hold. */
export async function runChecks(stand: Stand, checks: readonly Check[]): Promise<number> {
  let failed = 0;
  for (const { name, run } of checks) {
    const began = performance.now();
    const told = await run(stand).then(
      (figures) => `ok    ${name}: ${figures}`,
      (error: Error) => {
        failed++;
        return `FAILS ${name}: ${error.stack}`;
      },
    );
    process.stdout.write(`${told} (${((performance.now() - began) / 1_000).toFixed(1)} s)\n`);
  }
  return failed;
}
