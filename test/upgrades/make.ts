import { resolve } from 'node:path';
import { postgresConfig, sqliteConfig } from '../databases.ts';
import { fill } from './fill.ts';
import { openFilling } from './filling.ts';
import { tablesOf } from './schema-of.ts';
import { rowsOf, store } from './stored-database.ts';

/** A database as the program in `dir` leaves it, on each engine, stored for the tests of upgrades to come. */
export async function makeStored(dir: string): Promise<void> {
  for (const place of [sqliteConfig, postgresConfig]) {
    const { config, drop } = await place();
    const filling = await openFilling(resolve(dir), config);
    const { database, program } = filling;
    try {
      await fill(filling);
      await program.stop();
      const tables = await tablesOf(database);
      const counts = await Promise.all(tables.map(async (table) => (await rowsOf(database, table)).length));
      const empty = tables.filter((_, at) => counts[at] === 0);
      const { stored, bytes } = await store(database);
      process.stdout.write(`${stored.engine} ${stored.version}: ${bytes} bytes\n`);
      if (empty.length > 0)
        process.stdout.write(`nothing in ${empty.join(', ')}: have fill.ts do what makes a row there\n`);
    } finally {
      await filling.close();
      await drop();
    }
  }
}
