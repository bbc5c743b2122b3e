import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, type AppOptions, createApp } from '#app/app.ts';
import { SETTINGS } from '#app/settings.ts';
import { type Clock, systemClock } from '#core/clock/clock.ts';
import { readConfig } from '#core/config/config.ts';
import { createLog, type Log } from '#core/log.ts';
import { loadSkills, SKILLS_DIR, type SkillStore } from '#runtime/skills/load-skills.ts';
import { copySqlite } from './migrated.ts';

let skills: Promise<SkillStore> | undefined;

/** The real app with its own data directory, called in process. Providers are off unless the test names some. */
export interface World extends App, AsyncDisposable {
  data_dir: string;
  /** GET as JSON. */
  get<T = unknown>(path: string): Promise<T>;
}

export async function openWorld(
  env: Record<string, string> = {},
  role: AppOptions['role'] = 'quiet',
  clock: Clock = systemClock,
  log: Log = createLog('silent'),
  more: Pick<AppOptions, 'offer' | 'given_settings' | 'install'> = {},
): Promise<World> {
  const data_dir = await mkdtemp(join(tmpdir(), 'capstan-world-'));
  const config = readConfig(SETTINGS, { DATA_DIR: data_dir, CAPSTAN_PROVIDERS: 'off', PORT: '0', ...env });
  if (config.server.database_url === null) await copySqlite(join(data_dir, 'capstan.db'));
  skills ??= loadSkills(SKILLS_DIR);
  const app = await createApp({ config, log, role, clock, skills: await skills, ...more });
  const close = async (graceMs?: number): Promise<void> => {
    await app.close(graceMs);
    await rm(data_dir, { recursive: true, force: true });
  };
  return {
    ...app,
    data_dir,
    close,
    get: async <T>(path: string) => (await (await app.fetch(path)).json()) as T,
    [Symbol.asyncDispose]: () => close(),
  };
}
