import { type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { tasksStand } from './tasks-stand.ts';

/** A process that works on tasks until it is killed. */

const order = JSON.parse(process.argv[2] ?? '') as { database: DatabaseConfig; secret: string; lease_ms: number };
const stand = await tasksStand(await openDatabase(order.database), { ...order, idle: true, at_work_per_user: 6 });
await stand.restartWorker();
process.stdout.write('at work\n');
