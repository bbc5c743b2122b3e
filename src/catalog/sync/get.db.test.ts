import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import type { Handler } from '#core/http/operation.ts';
import { compileSchema } from '#core/http/validate.ts';
import { eachDatabase } from '#test/databases.ts';
import { records } from '#test/fakes/fault-server.ts';
import { bench, serve } from '#test/sync-stand.ts';
import { syncContract } from './contract.ts';
import { getSync } from './get.ts';

const fits = compileSchema(syncContract.get.answers[200].content['application/json'].schema);

eachDatabase('the sync status of the providers', (open) => {
  test('200: lists every provider in order, whatever its status', async () => {
    const database = await open();
    const server = await serve(records(25));
    const { run } = await bench(database, server);
    const ask = async () => {
      const reply = await (getSync({ db: database.db, enabled: ['glama'] }) as Handler)({} as never);
      const answer = JSON.parse(reply.body as string);
      assert.deepEqual(fits(answer), []);
      const off = answer.providers.filter((provider: { status: string }) => provider.status === 'disabled');
      assert.equal(off.length, PROVIDERS.length - 1);
      assert.equal(off[0].error.code, 'registry.provider_failed');
      assert.deepEqual(
        answer.providers.map((provider: { provider: string }) => provider.provider),
        PROVIDERS,
      );
      return answer.providers.find((provider: { provider: string }) => provider.provider === 'glama');
    };
    assert.equal((await ask()).status, 'never');
    await run();
    const { started_at, finished_at, next_run_at, ...rest } = await ask();
    const counts = { added: 25, updated: 0, removed: 0, rejected: 0 };
    const expected = {
      provider: 'glama',
      status: 'succeeded',
      mode: 'full',
      progress: { seen: 25, total: 25 },
      error: null,
    };
    assert.deepEqual(rest, { ...expected, ...counts });
    assert.ok(started_at <= finished_at && finished_at < next_run_at);
    server.fault = () => ({ status: 404 });
    await run();
    const failed = await ask();
    assert.deepEqual(
      [failed.status, failed.error.code, failed.error.reason],
      ['failed', 'registry.provider_failed', 'unavailable'],
    );
    assert.match(failed.error.detail, /404/);
  });
});
