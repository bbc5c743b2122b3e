import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isoTime } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { createLog } from '#core/log.ts';
import { documentFrom } from '#test/capability-documents.ts';
import { eachDatabase } from '#test/databases.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { NO_FILTERS } from '../query/filter.ts';
import { marketplaceViewOf } from '../query/marketplace-view.ts';
import { openFeedback } from './feedback.ts';
import { feedbackCommand } from './feedback-command.ts';
import { readFeedback } from './read-feedback.ts';
import { removeRecent } from './recent-searches.ts';
import { countEvents, forgetVoices, LEAST_VOICES, removeFeedback, saltOf } from './store.ts';

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2026, 3, 14, 12);

const view = (() => {
  const builder = capabilityBuilder();
  for (const [number, name] of ['tides', 'tide tables', 'weather'].entries())
    builder.add(documentFrom(number, { name, description: `About ${name}`, downloads: 100 - number }));
  return marketplaceViewOf(
    { base: builder.finish().segment, deleted: null, delta: null, version: '', is_whole: true },
    null,
  );
})();

const visitor = (number: number) => ({ user_id: null, address: `192.0.2.${number}` });
const TIDES = documentFrom(0).wire.id;

eachDatabase('search feedback', (open) => {
  async function openStand() {
    const { db } = await open();
    const clock = { ms: NOON_MS, now: () => clock.ms };
    const keys = keyProvider([createSecretKey(randomBytes(32))]);
    const openOne = () => openFeedback({ db, clock, log: createLog('silent'), index: { view: () => view }, keys });
    const report = () => readFeedback(db, '2026-01-01', 10);
    return { db, clock, openOne, report, ...openOne() };
  }
  const search = (text: string) => ({ text, filters: NO_FILTERS });

  test('searches and choices are counted by people a day, with the position of what was chosen', async () => {
    const { searched, chose, flush, report } = await openStand();
    for (const number of [1, 2, 3, 4]) searched(visitor(number), search('Tide tables!'));
    chose(visitor(1), TIDES, 'opened');
    chose(visitor(2), 'smithery/ana/0', 'opened');
    chose(visitor(2), 'smithery/ana/0', 'run');
    chose(visitor(9), TIDES, 'opened');
    chose(visitor(3), 'unknown', 'opened');
    await flush();
    const { searches, unnamed, queries, unanswered, positions } = await report();
    assert.deepEqual([searches, unnamed, unanswered], [4, 0, []]);
    assert.deepEqual(queries, [
      {
        query: 'tide tables',
        searches: 4,
        results: 2,
        opened: 2,
        installed: 0,
        run: 1,
        position: 2,
        capabilities: [{ id: TIDES, choices: 3 }],
      },
    ]);
    assert.deepEqual(positions, [{ position: 2, choices: 3 }]);
  });

  test('a choice counts in whichever process it is made, and the database does not tell who searched for what', async () => {
    const { db, searched, flush, openOne, report, clock } = await openStand();
    const other = openOne();
    for (const number of [1, 2, 3, 4]) searched(visitor(number), search('Tide tables!'));
    for (const number of [1, 2, 9]) other.chose(visitor(number), TIDES, 'opened');
    clock.ms += 1_000;
    await flush();
    const rows = await db.selectFrom('search_recent').selectAll().execute();
    assert.equal(rows.length, 4);
    const stored = rows.flatMap((row) => [
      ...Object.values(row),
      Buffer.from(row.sealed, 'base64url').toString('latin1'),
    ]);
    for (const plain of ['tide', 'Tide', '192.0.2']) assert.ok(stored.every((text) => !text.includes(plain)));
    await other.flush();
    const opened = async () => (await report()).queries.map((query) => [query.query, query.opened]);
    assert.deepEqual(await opened(), [['tide tables', 2]]);
    other.chose(visitor(1), TIDES, 'opened');
    await other.flush();
    assert.deepEqual(await opened(), [['tide tables', 2]], 'nobody counts twice');
    clock.ms += 31 * 60_000;
    other.chose(visitor(3), TIDES, 'opened');
    await other.flush();
    assert.deepEqual(await opened(), [['tide tables', 2]], 'a later choice is not attributed to the search');
    assert.equal(await removeRecent(db, isoTime(clock.now() - 30 * 60_000), 10), 4);
  });

  test('no address and no account can inflate anything', async () => {
    const { searched, chose, flush, openOne, report } = await openStand();
    const other = openOne();
    for (const number of [1, 2, 3]) searched(visitor(number), search('tides'));
    for (let times = 0; times < 20; times++) {
      // One address with many accounts, and one account with many addresses, in two processes.
      const farm = { user_id: `account-${times}`, address: '192.0.2.1' };
      const travels = { user_id: 'traveller', address: `198.51.100.${times}` };
      for (const one of [{ searched, chose }, other])
        for (const voice of [farm, travels]) {
          one.searched(voice, search('tides'));
          one.chose(voice, TIDES, 'opened');
        }
    }
    await Promise.all([flush(), other.flush()]);
    const { queries } = await report();
    assert.deepEqual(
      queries.map(({ searches, opened }) => [searches, opened]),
      [[4, 2]],
    );
  });

  test('processes that count the same searches at once lose none', async () => {
    const { db } = await openStand();
    const of = { day: '2026-04-14', salt: await saltOf(db, '2026-04-14') };
    for (let round = 0; round < 10; round++) {
      const all = Array.from({ length: 25 }, (_, at) => {
        const query = `${round} ${at}`;
        return { query, names: [`account ${at}`, 'address'], choice: null };
      });
      await Promise.all([all, all.slice(12), all.toReversed().slice(5)].map((some) => countEvents(db, of, some)));
    }
    const counted = await db.selectFrom('search_queries').select('searches').execute();
    assert.deepEqual([counted.length, counted.every(({ searches }) => Number(searches) === 1)], [250, true]);
  });

  test('a text that few people searched for is not kept, nor is anything of a person after the day', async () => {
    const { db, clock, searched, chose, flush, report } = await openStand();
    const people = Array.from({ length: LEAST_VOICES }, (_, at) => visitor(at));
    for (const voice of people) searched(voice, search('tides'));
    for (const voice of people.slice(1)) searched(voice, search('the weather of Ann Smith'));
    chose(people[1] as never, documentFrom(2).wire.id, 'opened');
    await flush();
    const stored = async () => {
      const tables = ['search_days', 'search_voices', 'search_queries', 'search_choices'] as const;
      return JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())));
    };
    assert.doesNotMatch(await stored(), /smith|192\.0\.2/i);
    assert.deepEqual([(await report()).searches, (await report()).unnamed], [2 * LEAST_VOICES - 1, LEAST_VOICES - 1]);
    clock.ms += DAY_MS;
    await forgetVoices(db, new Date(clock.ms).toISOString(), 500);
    assert.equal((await db.selectFrom('search_voices').selectAll().execute()).length, 0);
    assert.equal((await db.selectFrom('search_choices').selectAll().execute()).length, 0);
    const [day] = await db.selectFrom('search_days').selectAll().execute();
    assert.equal(day?.salt, null);
    assert.deepEqual(
      (await report()).queries.map(({ query }) => query),
      ['tides'],
    );
    await removeFeedback(db, new Date(clock.ms).toISOString(), 500);
    assert.equal(await stored(), '[[],[],[],[]]');
  });

  test('a choice long after the search, and the same choice on the next day, are a new one', async () => {
    const { clock, searched, chose, flush, report } = await openStand();
    for (const number of [1, 2, 3]) searched(visitor(number), search('tides'));
    clock.ms += 31 * 60_000;
    chose(visitor(1), TIDES, 'opened');
    await flush();
    assert.equal((await report()).queries[0]?.opened, 0, 'half an hour later');
    for (let day = 0; day < 2; day++) {
      clock.ms += DAY_MS;
      for (const number of [1, 2, 3]) searched(visitor(number), search('tides'));
      chose(visitor(1), TIDES, 'opened');
      await flush();
    }
    assert.deepEqual([(await report()).queries[0]?.opened, (await report()).queries[0]?.searches], [2, 9]);
  });

  test('rows a day are bounded: what is known counts on', async () => {
    const { db } = await openStand();
    const day = '2026-04-14';
    const salt = await saltOf(db, day);
    const bounds = { voices: 8, queries: 2, choices: 1 };
    const ofQuery = (query: string, name: string) => ({ query, names: [name], choice: null });
    const events = ['a', 'b', 'c', 'd'].flatMap((query) => [ofQuery(query, 'address 1'), ofQuery(query, 'address 2')]);
    await countEvents(db, { day, salt }, [...events, ...events], bounds);
    const rows = await db.selectFrom('search_queries').select('searches').execute();
    assert.deepEqual(rows, [{ searches: 2 }, { searches: 2 }]);
    await countEvents(db, { day, salt }, [ofQuery('a', 'address 3')], bounds);
    assert.equal((await db.selectFrom('search_voices').selectAll().execute()).length, 8);
  });

  test('capstand audit search prints top queries, queries without an answer, and positions', async () => {
    const { db, clock, searched, chose, flush } = await openStand();
    for (const number of [1, 2, 3]) {
      searched(visitor(number), search('tides'));
      searched(visitor(number), search('quantum yoghurt'));
    }
    chose(visitor(1), TIDES, 'installed');
    await flush();
    const run = async (...argv: string[]) => {
      const [out, err]: [string[], string[]] = [[], []];
      const io = {
        stdout: { write: (text: string) => out.push(text) },
        stderr: { write: (text: string) => err.push(text) },
      };
      const code = await feedbackCommand(argv, io as never, { db, now_ms: clock.ms, is_on: true });
      return { code, out: out.join(''), err: err.join('') };
    };
    const { out } = await run();
    assert.match(out, /^6 searches since 2026-03-16/);
    assert.match(
      out,
      /Most searched\n {2}3 {2}quantum yoghurt {2}0 results; 0 opened, 0 installed, 0 run\n {2}3 {2}tides/,
    );
    assert.match(
      out,
      /Without a good answer\n {2}3 {2}quantum yoghurt[^\n]*\n\nChoices by position\n {2}1: 1 \(100 %\)/,
    );
    assert.equal(JSON.parse((await run('--json', '--limit', '1')).out).queries.length, 1);
    assert.deepEqual(await run('--days', 'x'), {
      code: 2,
      out: '',
      err: 'capstand audit search: --days must be a number from 1 to 3650.\n',
    });
  });
});
