import { declaresSettings, withSettings } from '../../../src/catalog/install/launch-settings.ts';
import { launchTarget } from '../../../src/catalog/install/launch-target.ts';
import { settingsOf } from '../../../src/runtime/packages/settings-of.ts';
import type { Context } from '../context.ts';
import { stepsOf, withPrepared } from './prepare.ts';
import type { LocalServer } from './server-of.ts';
import type { LocalConfig } from './settings.ts';

/** The server with the settings that the manifest of its bundle declares. Only its files have them, so it is prepared. */
export async function withDeclared(context: Context, server: LocalServer, config: LocalConfig): Promise<LocalServer> {
  const { launch, name } = server;
  if (!declaresSettings(launch)) return server;
  const { target } = launchTarget(launch, {}, []);
  return context.during(name, (tell) =>
    withPrepared(context, { config, target, on_step: stepsOf(name, tell) }, async ({ prepared }) => {
      const settings = settingsOf(prepared.inputs).map((setting) =>
        Object.assign(setting, { default: atHome(setting.default, context.world.home) }),
      );
      return { ...server, launch: withSettings(launch, settings) };
    }),
  );
}

const FOLDERS: Record<string, string> = {
  HOME: '',
  DESKTOP: '/Desktop',
  DOCUMENTS: '/Documents',
  DOWNLOADS: '/Downloads',
};

const atHome = (text: string, home: string): string =>
  text.replace(/\$\{(HOME|DESKTOP|DOCUMENTS|DOWNLOADS)\}/g, (_, folder: string) => `${home}${FOLDERS[folder]}`);
