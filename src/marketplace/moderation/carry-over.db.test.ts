import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listing } from '#catalog/items/item.ts';
import { findRow } from '#catalog/items/read-items.ts';
import { eachDatabase } from '#test/databases.ts';
import { linkNow } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { moderationStand, noFence } from '#test/moderation-stand.ts';
import { carryOver } from './carry-over.ts';

eachDatabase('a listing that is merged into a taken-down capability', (open) => {
  test('a listing merged into a taken-down capability is taken down once, with a history entry', async () => {
    const stand = await moderationStand(await open());
    const { db, deps } = stand;
    const id = await stand.listed('glama', 'a/words');
    await stand.decide(id, { decision: 'takedown', kind: 'malware', reason: 'It steals.' });
    const merged = await stand.listed('smithery', '@a/words', {}, id);
    assert.equal(await carryOver(deps, noFence), 1);
    const row = await findRow(db, { provider_id: 'smithery', external_id: '@a/words' });
    assert.match(row?.taken_down ?? '', /It steals/);
    assert.equal(await carryOver(deps, noFence), 0);
    const { history, measures } = await stand.moderation(id);
    const last = history.at(-1);
    assert.deepEqual([last.change, last.by, measures.length], ['carried_over', 'automatic', 1]);
    await stand.decide(merged, { decision: 'lift', measure_id: measures[0].id });
    assert.equal((await findRow(db, { provider_id: 'smithery', external_id: '@a/words' }))?.removed_at, null);
  });
});

eachDatabase('a taken-down listing that returns', (open) => {
  const stands = async () => {
    const database = await open();
    const stand = await moderationStand(database);
    const list = async (...listings: Listing[]) => {
      for (const listing of listings) await stand.sync(listing);
      await linkNow(database);
    };
    const idOf = async (externalId: string) =>
      (
        await database.db
          .selectFrom('capabilities')
          .select('id')
          .where('external_id', '=', externalId)
          .executeTakeFirstOrThrow()
      ).id;
    const isDown = async (externalId: string) =>
      (await stand.moderation(await idOf(externalId))).status === 'taken_down';
    const carried = async () => {
      await linkNow(database);
      return carryOver(stand.deps, noFence);
    };
    return { ...stand, list, idOf, isDown, carried };
  };
  const server = (provider: Listing['provider_id'], id: string, install: object, more: Partial<Listing> = {}) =>
    listing(provider, id, {
      listing_type: 'server',
      execution_class: 'mcp',
      install: { packages: [], remotes: [], ...install },
      ...more,
    });
  const npm = (identifier: string) => ({ packages: [{ registry_type: 'npm', identifier }] });
  const at = (url: string) => ({ remotes: [{ transport: 'streamable-http', url, headers: [], variables: [] }] });
  const repository = 'https://github.com/eve/steal';

  test('a listing with the package, URL, or repository and name of a taken-down one is taken down, too', async () => {
    const { list, idOf, isDown, carried, decide, moderation } = await stands();
    const bad = server(
      'smithery',
      '@eve/steal',
      { ...npm('steal-keys'), ...at('https://eve.example/mcp') },
      { repository },
    );
    await list(bad, server('glama', 'ana/honest', npm('honest')));
    const id = await idOf('@eve/steal');
    const { body } = await decide(id, { decision: 'takedown', kind: 'malware', reason: 'It steals keys.' });
    await list(
      server('glama', 'mallory/nice', npm('steal-keys')),
      server('docker', 'useful', at('https://eve.example/mcp/')),
      server('mcp-registry', 'io.github.eve/steal', npm('other-name'), { repository }),
      server('glama', 'bob/fine', npm('fine'), { name: 'steal', description: bad.description }),
    );
    assert.equal(await carried(), 3);
    for (const again of ['mallory/nice', 'useful', 'io.github.eve/steal']) assert.ok(await isDown(again), again);
    for (const other of ['ana/honest', 'bob/fine']) assert.ok(!(await isDown(other)), other);
    const { history, measures } = await moderation(await idOf('mallory/nice'));
    const [entry] = history.filter(
      (item: { change: string; listings: { external_id: string }[] }) =>
        item.listings[0]?.external_id === 'mallory/nice',
    );
    assert.deepEqual(
      [entry.change, entry.by, entry.evidence[0].kind, entry.evidence[0].value],
      ['carried_over', 'automatic', 'package', 'npm:steal-keys'],
    );
    assert.match(entry.reason, /Listed again.*npm:steal-keys.*It steals keys/);
    assert.equal(measures[0].id, body.moderation.measures[0].id, 'the same action: one appeal and one lift for all');
    assert.equal(await carried(), 0);
    await list(server('glama', 'ana/honest', npm('steal-keys')));
    assert.equal(await carried(), 1, 'an older listing is affected once it becomes the same');
    await decide(id, { decision: 'lift', measure_id: measures[0].id });
    await carried();
    assert.ok(!(await isDown('mallory/nice')) && !(await isDown('@eve/steal')));
  });

  test('keeps a listing that proves its account when an impersonator is taken down, and files a report', async () => {
    const { list, idOf, isDown, carried, decide, ask, operator, db, sync } = await stands();
    const famous = { repository: 'https://github.com/famous/tool', name: 'tool' };
    await list(server('smithery', '@eve/tool', { ...npm('famous-tool'), ...at('https://eve.example/mcp') }, famous));
    await decide(await idOf('@eve/tool'), { decision: 'takedown', kind: 'impersonation' });
    // Later changes of the taken-down listing are not evidence against others.
    await sync(
      server('smithery', '@eve/tool', npm('victim'), { repository: 'https://github.com/victim/x', name: 'x' }),
    );
    await list(
      server('mcp-registry', 'io.github.famous/tool', npm('famous-tool'), famous),
      server('glama', 'famous/tool', npm('famous-tool'), famous),
      server('glama', 'victim/x', npm('victim'), { repository: 'https://github.com/victim/x', name: 'x' }),
    );
    assert.equal(await carried(), 0);
    for (const honest of ['io.github.famous/tool', 'famous/tool', 'victim/x'])
      assert.ok(!(await isDown(honest)), honest);
    const { items } = (
      await ask(operator, 'moderation.listReports', { query: { status: 'open', limit: 9, offset: 0 } })
    ).body;
    assert.deepEqual(
      new Set(items.map((item: { about: string; kind: string }) => `${item.about} ${item.kind}`)),
      new Set(['listing impersonation']),
    );
    assert.match(items[0].text, /shares .*famous.*and may belong to a different account/);
    const before = items.length;
    await list(server('glama', 'famous/tool', npm('famous-tool'), { ...famous, version: '2.0.0' }));
    assert.equal(await carried(), 0);
    assert.equal((await db.selectFrom('capability_reports').selectAll().execute()).length, before, 'told once');
  });

  test('a listing with the files of a taken-down one is taken down under any publisher', async () => {
    const { newPerson, published, idOf, isDown, carried, decide } = await stands();
    const [ana, bob] = [await newPerson(), await newPerson()];
    const id = await published(ana, { name: 'ana-lang/words' });
    await carried();
    await decide(id, { decision: 'takedown', kind: 'malware' });
    const again = await published(bob, { name: 'bob-lang/words' });
    assert.equal(await carried(), 1);
    assert.ok(await isDown(again));
    assert.equal(await idOf(again), again);
  });
});
