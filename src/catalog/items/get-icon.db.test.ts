import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProblem } from '#core/problem/problem.ts';
import { oneDatabase } from '#test/databases.ts';
import { detailsStand } from '#test/details-stand.ts';
import { saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { getItemIcon } from './get-icon.ts';

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAD0lEQVR4nGMIwAEYhpYEAHIhPAGq2YaNAAAAAElFTkSuQmCC';

oneDatabase('GET /api/marketplace/registry/icon', (open) => {
  test('200: an icon that was checked, with no power in a browser; 404 where none can be shown', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    const icon = (src: string) => ({ facts: { icons: [{ src }] }, license: 'MIT' });
    const bytes = Buffer.from(PNG.slice(PNG.indexOf(',') + 1), 'base64');
    const serve = (path: string, content: Buffer) =>
      stand.host.routes.set(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(content);
      });
    serve('/icon.png', bytes);
    serve('/large.png', Buffer.concat([bytes, Buffer.alloc(65_536)]));
    await saveAll(database, [
      listing('docker', 'hosted', icon(`${stand.host.url}/icon.png`)),
      listing('docker', 'large', icon(`${stand.host.url}/large.png`)),
      listing('docker', 'good', icon(PNG)),
      listing('docker', 'bad', icon('data:image/png;base64,aGVsbG8gd29ybGQsIHRoaXMgaXMgbm90IGFuIGltYWdl')),
      listing('docker', 'svg', icon('data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=')),
    ]);
    const handler = getItemIcon({ db: database.db, clock: stand.clock, readIcon: stand.details.icon });
    const ask = async (id: string, digest?: string) => handler({ query: { provider: 'docker', id, digest } } as never);
    const missing = (error: unknown) => isProblem(error, 'registry.file_not_found', 'path');
    await assert.rejects(ask('good'), missing, 'it was not asked for yet');
    const found = await stand.ask({ provider_id: 'docker', external_id: 'good' });
    const { media_type, headers, etag } = await ask('good', found.found.icon ?? '');
    assert.deepEqual([media_type, etag], ['image/png', found.found.icon]);
    assert.equal(headers?.['content-security-policy'], "default-src 'none'; sandbox");
    await assert.rejects(ask('good', 'f'.repeat(64)), missing);
    const key = { provider_id: 'docker', external_id: 'hosted' } as const;
    assert.equal((await stand.ask(key)).found.icon, found.found.icon);
    stand.clock.ms += 400 * 86_400_000;
    await stand.ask(key);
    assert.deepEqual(
      stand.host.log.filter((line) => line.endsWith('.png')),
      ['200 /icon.png'],
      'once',
    );
    for (const id of ['bad', 'svg', 'large']) {
      const other = await stand.ask({ provider_id: 'docker', external_id: id });
      assert.equal(other.found.icon, null, id);
      await assert.rejects(ask(id), missing, id);
    }
  });
});
