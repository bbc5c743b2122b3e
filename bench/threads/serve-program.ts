import { createApp } from '#app/app.ts';
import { openServing } from '#app/serving.ts';
import { SETTINGS } from '#app/settings.ts';
import { readConfig } from '#core/config/config.ts';
import { createLog } from '#core/log.ts';
import { report } from '../catalog/serve.ts';

/** The whole program as it answers requests, without the work that is due. `serve-program.ts '{"CAPSTAN_THREADS":"2",…}'` */
// Also while it starts.
process.on('disconnect', () => process.exit(0));
const settings = JSON.parse(process.argv[2] as string) as Record<string, string>;
const config = readConfig(SETTINGS, { PORT: '0', CAPSTAN_PROVIDERS: 'off', LOG_LEVEL: 'warn', ...settings });
const options = { config, log: createLog(config.server.log_level), role: 'quiet' } as const;
const app = await (config.server.threads > 1 ? openServing(options) : createApp(options));
await app.catalog.ready;
report(await app.listen());
