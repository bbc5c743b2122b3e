import assert from 'node:assert/strict';
import { COUNTED_LIMITS } from '../instances/counting.ts';
import { findNginx } from '../instances/nginx.ts';
import { beforeNewestMigration, checkOut } from '../instances/old-version.ts';
import { roll } from '../instances/rolling.ts';
import { openStand } from '../instances/stand.ts';
import { startPostgres } from '../postgres.ts';

/**
 * `npm run soak -- rolling [seed] [seconds] [revisions…]`: two `serve` and one `work` of an earlier version under a light load; this one is
 * started beside, migrates, both answer for a while, then the earlier ends. Once from the last commit before the newest migration, once
 * from the last commit.
 */
const [seed = '1', seconds = '60', ...revisions] = process.argv.slice(2);

const nginx = await findNginx();
if ('missing' in nginx) {
  process.stdout.write(`skipped: ${nginx.missing}\n`);
  process.exit(0);
}
const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
try {
  for (const revision of revisions.length > 0 ? revisions : [await beforeNewestMigration(), 'HEAD^']) {
    await using old = await checkOut(revision);
    const env = { ...COUNTED_LIMITS, CAPSTAN_LIMIT_MCP: '100000/1h' };
    await using stand = await openStand({
      nginx: nginx.path,
      serve: 2,
      work: 1,
      seed: Number(seed),
      root: old.root,
      env,
    });
    const figures = await roll(stand, Number(seconds));
    const again = await stand.cluster.start('serve', { root: old.root }).then(
      async (instance) => {
        await instance.kill();
        return 'it is ready';
      },
      (error: Error) => error.message.trim(),
    );
    if (old.is_older_schema)
      assert.match(again, /^capstand ended: capstand: The database has schema version .*newer program.*$/);
    process.stdout.write(`ok    from ${old.commit}: ${figures}; started again, it says: ${again}\n`);
  }
} finally {
  await postgres.stop();
}
