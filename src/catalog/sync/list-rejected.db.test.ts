import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handler } from '#core/http/operation.ts';
import { compileSchema } from '#core/http/validate.ts';
import { eachDatabase } from '#test/databases.ts';
import { bench, serve } from '#test/sync-stand.ts';
import { syncContract } from './contract.ts';
import { listRejected } from './list-rejected.ts';

const fits = compileSchema(syncContract.listRejected.answers[200].content['application/json'].schema);

eachDatabase('rejected records', (open) => {
  test('200: lists records with their reasons, in pages and by provider', async () => {
    const database = await open();
    const wrong = Array.from({ length: 7 }, (_, n) => ({ id: `wrong/${n}`, name: n }));
    const { run } = await bench(
      database,
      await serve([...wrong, 'text', { id: 'big', name: 7, text: 'x'.repeat(9_000) }]),
    );
    await run();
    const ask = async (query: object) => {
      const reply = await (listRejected({ db: database.db }) as Handler)({ query, raw_path: '/x' } as never);
      const answer = JSON.parse(reply.body as string);
      assert.deepEqual(fits(answer), []);
      return { ...answer, link: reply.headers?.link };
    };
    const all = await ask({ limit: 50, offset: 0 });
    assert.deepEqual([all.total_count, all.items.length, all.link], [9, 9, undefined]);
    assert.ok(
      all.items.every((item: { reason: string; raw: string }) => item.reason !== '' && item.raw.length <= 4_200),
    );
    const page = await ask({ provider: 'glama', limit: 4, offset: 4 });
    assert.equal(page.items.length, 4);
    assert.equal(
      page.link,
      '</x?provider=glama&limit=4&offset=8>; rel="next", </x?provider=glama&limit=4&offset=0>; rel="prev"',
    );
    assert.deepEqual((await ask({ provider: 'docker', limit: 50, offset: 0 })).total_count, 0);
  });
});
