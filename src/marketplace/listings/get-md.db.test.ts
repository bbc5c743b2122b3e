import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { linkNow, saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { moderationStand } from '#test/moderation-stand.ts';
import { publishingStand, skillMd } from '#test/publishing-stand.ts';

oneDatabase('GET /api/marketplace/listings/{id}/md', (open) => {
  test('200: a published listing with its files, versions and their statuses', async () => {
    const database = await open();
    const stand = publishingStand(database);
    const ana = await stand.newPerson();
    const add = (version: string) =>
      stand.published(ana, {
        name: 'ana-lang/words',
        version,
        tags: ['text'],
        files: [
          { path: 'SKILL.md', content: skillMd('words', '\n') },
          { path: 'assets/a.txt', content: version },
        ],
      });
    const id = await add('1.0.0');
    await add('1.1.0');
    await linkNow(database);
    const yanked = { version: '1.0.0', reason: 'It [loses](https://evil.example) words.' };
    await stand.ask(ana, 'publishing.yank', { params: { id }, body: yanked });
    const { status, body: text } = await stand.ask(null, 'listings.getMd', { params: { id } });
    assert.equal(status, 200);
    assert.match(text, /^# ana-lang\/words\n\n/);
    assert.match(
      text,
      /- Version: 1\.1\.0\n- Status: live\n- Author: ana-lang\n- Publisher: ana-lang\n- License: MIT\n/,
    );
    assert.match(text, /- Digest: `sha256:[0-9a-f]{64}`\n- Tags: `text`\n/);
    const file = new RegExp(
      `- \\[assets/a\\.txt\\]\\(<(/api/marketplace/listings/${id}/versions/1\\.1\\.0/files/assets/a\\.txt\\?digest=sha256:[0-9a-f]{64})>\\), 5 bytes`,
    );
    assert.match(text, file);
    assert.match(
      text,
      /## Versions\n\n- \[1\.1\.0\]\(<[^>]+>\), live, .+\n- \[1\.0\.0\]\(<[^>]+>\), yanked \(It \\\[loses\\\]/,
    );
    assert.doesNotMatch(text, /\]\(<?https:\/\/evil/);
    const asked = await stand.ask(null, 'listings.get', { params: { id }, headers: { accept: 'text/markdown' } });
    assert.equal(asked.body, text);
  });

  test('200: a capability of two providers names both; 308: the id of the merged one', async () => {
    const database = await open();
    const stand = publishingStand(database);
    const more = { name: 'tides', author: 'sky', repository: 'https://github.com/sky/tides' };
    await saveAll(database, [
      listing('mcp-registry', 'io.github.sky/tides', {
        ...more,
        facts: { tools: [{ name: 'tide', title: '', description: 'Of a port.', input_schema: null }] },
      }),
      listing('glama', 'sky/tides', more),
    ]);
    await linkNow(database);
    const rows = await database.db.selectFrom('capabilities').selectAll().execute();
    const stands = rows.find((row) => row.stands_id === row.id);
    const merged = rows.find((row) => row.stands_id !== row.id);
    const { body: text } = await stand.ask(null, 'listings.getMd', { params: { id: stands?.id } });
    assert.match(
      text,
      /## Listed by\n\n- mcp-registry: `io\.github\.sky\/tides` \(\[Markdown\]\(<[^>]+\/md>\)\)\n- glama: /,
    );
    assert.match(text, /## Tools\n\n- `tide`: Of a port\./, 'what the page shows of the listing closest to running');
    const moved = await stand.ask(null, 'listings.getMd', { params: { id: merged?.id } });
    assert.deepEqual([moved.status, moved.headers.location], [308, `/api/marketplace/listings/${stands?.id}/md`]);
  });

  test('410: a listing that was taken down', async () => {
    const stand = await moderationStand(await open());
    const id = await stand.listed('glama', 'ana/bad');
    await stand.decide(id, { decision: 'takedown', kind: 'malware', reason: 'It sends files away.' });
    const down = await stand.ask(null, 'listings.getMd', { params: { id } });
    assert.deepEqual([down.status, down.body.code, down.body.reason], [410, 'marketplace.gone', 'taken_down']);
  });
});
