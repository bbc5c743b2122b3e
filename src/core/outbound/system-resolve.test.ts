import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBehalfOf } from '#core/fair-queue/on-behalf-of.ts';
import { userShare } from '#core/fair-queue/share.ts';
import { limitedResolve } from './system-resolve.ts';

test('names that no server answers leave places to other users and to the database', async () => {
  const asked: string[] = [];
  const hanging = Promise.withResolvers<never>();
  const resolve = limitedResolve((name) => {
    asked.push(name);
    return name.endsWith('.dead') ? hanging.promise : Promise.resolve([{ address: '192.0.2.1', family: 4 }]);
  });
  const ask = (user: string, name: string) =>
    onBehalfOf(
      () => userShare(user),
      () => resolve(name),
    );
  const lost = Array.from({ length: 20 }, (_, n) => ask('ana', `${n}.dead`));
  assert.deepEqual(await ask('ben', 'api.example.test'), [{ address: '192.0.2.1', family: 4 }]);
  assert.deepEqual(asked, ['0.dead', '1.dead', '2.dead', 'api.example.test']);
  const more = Array.from({ length: 20 }, (_, n) => ask(`user ${n}`, `${n}.dead`));
  await new Promise(setImmediate);
  assert.equal(asked.length, 3 + 1 + 3, 'never more at once than six');
  hanging.reject(Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' }));
  for (const { status } of await Promise.allSettled([...lost, ...more])) assert.equal(status, 'rejected');
});

test('a name beyond the queue is refused as one that cannot be looked up now', async () => {
  const hanging = Promise.withResolvers<never>();
  const resolve = limitedResolve(() => hanging.promise);
  const lost = Array.from({ length: 203 }, () => resolve('x.dead'));
  await assert.rejects(resolve('one-more.dead'), { code: 'EAI_AGAIN', message: /one-more\.dead was not/ });
  hanging.reject(new Error('no answer'));
  await Promise.allSettled(lost);
});
