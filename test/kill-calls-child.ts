import { type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { connectionsStand } from './connections-stand.ts';

/** A process that serves connections until it is killed. */

const { database, secret } = JSON.parse(process.argv[2] ?? '') as { database: DatabaseConfig; secret: string };
const stand = await connectionsStand(await openDatabase(database), { secret });
process.stdout.write(`${await stand.listen()}\n`);
