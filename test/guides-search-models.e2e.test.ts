import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isoTime } from '#core/clock/clock.ts';
import { startSearchModels } from './fakes/search-models.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/** The commands of the guide to models of the search, with a model on loopback. */

const ROOT = new URL('..', import.meta.url).pathname;
const guide = await readFile(`${ROOT}docs/guides/search-models.md`, 'utf8');
const block = (kind: string): string => new RegExp(`^\`\`\`sh ${kind}\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? '';
const missing = ['bash', 'curl', 'jq'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
const skip = missing.length > 0 && `${missing.join(', ')} not here`;

async function run(script: string, env: Record<string, string>): Promise<string> {
  const capstand = `capstand() { "${process.execPath}" "${ROOT}src/app/main.ts" "$@"; }`;
  const base = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', `${capstand}\n${script}`], {
    env: { ...base, CAPSTAN_PROVIDERS: 'off', ...env },
  });
  return stdout;
}

test('the commands of the guide check a model and show what it did for a search', { skip }, async () => {
  await using models = await startSearchModels({ key: 'the-key', dimensions: 32 });
  const env = { CAPSTAN_EMBEDDINGS_URL: models.url, CAPSTAN_EMBEDDINGS_MODEL: 'small', CAPSTAN_EMBEDDINGS_WAIT: '10s' };
  await using world = await openWorld({ ...env, CAPSTAN_EMBEDDINGS_KEY: 'the-key' }, 'serve');
  const { url } = await world.listen();
  // The job leaves the first seconds of a process to requests.
  const { db } = world.database;
  await db
    .updateTable('jobs')
    .set({ run_at: isoTime(0) })
    .where('kind', '=', 'search.embed')
    .execute();
  const checked = await run(block('doctor'), { ...env, CAPSTAN_EMBEDDINGS_KEY: 'the-key', DATA_DIR: world.data_dir });
  assert.match(
    checked,
    /^ok +search models +The embeddings server answers with 32 dimensions, in \d+ ms \(limit: 10000 ms\)\./,
  );
  await until('the search uses the model', async () => {
    const [state, ...found] = (await run(block('search'), { CAPSTAN_URL: url })).trim().split('\n');
    if (state !== 'used') return false;
    assert.equal(found.length, 3);
    for (const line of found) assert.match(line, /^[\w-]+ words: (\d+|null) meaning: \d+$/);
    return true;
  });
  const metrics = await (await world.fetch('/metrics')).text();
  assert.match(metrics, /^capstan_search_model_requests_total\{part="query",outcome="ok"\} 1$/m);
  const [, items] = /^capstan_index_items\{index="marketplace"\} (\d+)$/m.exec(metrics) ?? [];
  assert.match(metrics, new RegExp(`^capstan_index_vectors\\{index="marketplace"\\} ${items}$`, 'm'));
});
