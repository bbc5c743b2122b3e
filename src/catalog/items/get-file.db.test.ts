import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProblem } from '#core/problem/problem.ts';
import { oneDatabase } from '#test/databases.ts';
import { detailsStand } from '#test/details-stand.ts';
import { saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { getItemFile } from './get-file.ts';

oneDatabase('GET /api/marketplace/registry/file', (open) => {
  test('200: a script as plain text that a browser does not run; 404 with the reason for other paths', async () => {
    const database = await open();
    let fetched = 0;
    const stand = await detailsStand(database, {
      skillFiles: () => async () => {
        fetched += 1;
        return new Map([
          ['SKILL.md', Buffer.from('x')],
          ['a.html', Buffer.from('<script>')],
          ['logo.png', Buffer.from([0, 1, 2])],
        ]);
      },
    });
    const id = 'ann/knots/rope';
    await saveAll(database, [listing('skills-sh', id, { repository: 'https://github.com/ann/knots', license: 'MIT' })]);
    await stand.ask({ provider_id: 'skills-sh', external_id: id });
    const handler = getItemFile({ db: database.db, clock: stand.clock, readFile: stand.details.file });
    const ask = async (path: string, of = id) => handler({ query: { provider: 'skills-sh', id: of, path } } as never);
    const { media_type, body, headers } = await ask('a.html');
    assert.deepEqual(
      [media_type, Buffer.from(body as Uint8Array).toString()],
      ['text/plain; charset=utf-8', '<script>'],
    );
    assert.equal(headers?.['content-security-policy'], "default-src 'none'; sandbox");
    await assert.rejects(ask('b.html'), (error) => isProblem(error, 'registry.file_not_found', 'path'));
    await assert.rejects(ask('a.html', 'ann/none'), (error) => isProblem(error, 'registry.not_found'));
    const before = fetched;
    // Archives are a second apart.
    stand.clock.ms += 1_000;
    for (let n = 0; n < 3; n++)
      await assert.rejects(ask('logo.png'), (error) => isProblem(error, 'registry.file_not_found', 'not_text'));
    assert.equal(fetched, before + 1, 'the archive is not fetched again for a file that cannot be shown');
  });
});
