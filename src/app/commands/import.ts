import { importCommand as run } from '#catalog/transfer/import-command.ts';
import { systemClock } from '#core/clock/clock.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { SERVICE } from '#core/service.ts';
import { openDetailBlobs, openMigrated } from '../database.ts';
import { isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const importCommand: Command = {
  summary: 'import listings as NDJSON from FILE, URL or - (gzip supported)',
  usage: 'import FILE|URL|-',
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const { database, data_dir } = await openMigrated(config);
    const outbound = createOutbound({ allow_loopback: !isProduction(config), user_agent: SERVICE.title });
    try {
      return await run(argv, process, {
        db: database.db,
        blobs: openDetailBlobs(data_dir),
        clock: systemClock,
        fetch: outbound.fetch,
      });
    } finally {
      await outbound.close();
      await database.close();
    }
  },
};
