import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { readCapability } from '#catalog/search/index/capability-segment.ts';
import { openChangeFeed } from '#core/changes/change-feed.ts';
import { createLog } from '#core/log.ts';
import { firstThread } from '#core/threads/first.ts';
import { furtherThread } from '#core/threads/further.ts';
import { openIndex } from '#marketplace/documents/open-index.ts';
import { eachDatabase } from './databases.ts';
import { publishingStand } from './publishing-stand.ts';
import { unsharedIn } from './unshared.ts';
import { until } from './until.ts';

/** The index with its thread, as in the program. */
eachDatabase('the marketplace index', (open) => {
  test('loads on first read, shares memory with other threads, and shows a new listing without a manual refresh', async () => {
    const database = await open();
    const log = createLog('silent');
    const changes = openChangeFeed({ database, database_config: database.config, log });
    const options = {
      database: database.config,
      changes,
      identity: 'test',
      skills: [],
      blobs_dir: '',
      has_model: false,
      log,
    };
    const { port1, port2 } = new MessageChannel();
    const threads = firstThread(2);
    const line = threads.admit(2, port1);
    const index = openIndex({ ...options, threads });
    await using _ = { [Symbol.asyncDispose]: () => index.close().then(changes.close).then(line.close) };
    const elsewhere = openIndex({ ...options, threads: furtherThread({ count: 2, number: 2, port: port2 }) });
    await index.refresh();
    const stand = publishingStand(database);
    const ana = await stand.newPerson();
    const first = await stand.published(ana, { name: 'ana-lang/words' });
    const view = await elsewhere.view();
    assert.deepEqual([unsharedIn(view.parts[0].segment), elsewhere.facts()], [[], null]);
    assert.equal(readCapability(view.list.base.segment, 0).id, first);
    await stand.published(ana, { name: 'ana-lang/letters' });
    await index.refresh();
    const [refreshed, other] = [await index.view(), await elsewhere.view()];
    assert.deepEqual([other.version, unsharedIn(other.parts[1]?.segment)], [refreshed.version, []]);
    assert.deepEqual([refreshed.vocabulary.count, refreshed.version === view.version], [2, false]);
    await stand.published(ana, { name: 'ana-lang/sentences' });
    await until('what was published', async () => (await index.view()).vocabulary.count === 3);
  });
});
