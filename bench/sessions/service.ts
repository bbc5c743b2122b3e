import { systemClock } from '../../src/platform/clock.ts';
import { accountsOf } from '../../test/accounts.ts';
import { openWorld } from '../../test/world.ts';

/** The service in a process of its own, as `npm start` has it, with an account. Says where and with which key, as JSON. */
const world = await openWorld({}, 'serve');
const { url } = await world.listen();
const account = await (await accountsOf(world, systemClock)).signUp();
process.stdout.write(`${JSON.stringify({ url, api_key: await account.newApiKey(['read', 'write']) })}\n`);
process.once('disconnect', () => world.close().finally(() => process.exit(0)));
