import { lazySeq } from '#catalog/changes/changes.ts';
import { saveListings } from '#catalog/items/items.ts';
import { isoTime, systemClock } from '#core/clock/clock.ts';
import { accountsOf } from '../../test/accounts.ts';
import { listing, remote } from '../../test/listings.ts';
import { openWorld } from '../../test/world.ts';

/** The service in a separate process, as with `npm start`, with an account. Prints its address and key as JSON. Lists servers. */
const world = await openWorld({}, 'serve');
const { url } = await world.listen();
const account = await (await accountsOf(world, systemClock)).signUp();
process.stdout.write(`${JSON.stringify({ url, api_key: await account.newApiKey(['read', 'write']) })}\n`);
process.on('message', async ({ server }: { server: string }) => {
  const external_id = `bench/${new URL(server).port}`;
  await world.database.db.transaction().execute(async (trx) => {
    const save = { run: external_id, now: isoTime(systemClock.now()), seq: lazySeq(trx) };
    await saveListings(trx, 'glama', [listing('glama', external_id, remote(server))], save);
  });
  process.send?.({ provider: 'glama', external_id });
});
process.once('disconnect', () => world.close().finally(() => process.exit(0)));
