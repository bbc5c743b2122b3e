import { defined } from '#core/defined.ts';
import type { PackageSetting } from '#core/mcp/packaged-servers.ts';
import type { LaunchField } from './launch-target.ts';
import type { Launch, LaunchInput } from './launches.ts';

/** The settings that a bundle declares in its manifest, as fields of its launch. Pure. */

/** Whether only the files of the package say what its user sets. */
export const declaresSettings = ({ package: source }: Pick<Launch, 'package'>): boolean =>
  source.registry_type === 'mcpb';

/** A name that the listing has, too, is the listing's. */
export function withSettings(launch: Launch, settings: readonly PackageSetting[]): Launch {
  const known = new Set(launch.env.map(({ name }) => name));
  return { ...launch, env: [...launch.env, ...settings.filter(({ name }) => !known.has(name)).map(inputOf)] };
}

const inputOf = (setting: PackageSetting): LaunchInput => ({
  name: setting.name,
  description: setting.description,
  required: setting.required,
  secret: setting.sensitive,
  value: '',
  default: inBoxHome(setting.default),
  type: null,
  format: setting.type === 'string' ? 'text' : setting.type,
  choices: [],
  repeated: setting.multiple,
  hint: '',
  variables: [],
  ...defined({ min: setting.min ?? undefined, max: setting.max ?? undefined }),
});

const BOX_HOME = '/tmp';

/** Folders of the user: in a box, all are its home. */
export const inBoxHome = (text: string): string =>
  text.replace(/\$\{(?:HOME|DESKTOP|DOCUMENTS|DOWNLOADS)\}/g, BOX_HOME);

/** Why a path cannot be given to a box of a service, as the end of a sentence; null for other values. */
export function faultOfPath({ format }: Pick<LaunchField, 'format'>, value: string): string | null {
  if (format !== 'directory' && format !== 'file') return null;
  const isHome = (path: string): boolean =>
    path === BOX_HOME || (path.startsWith(`${BOX_HOME}/`) && !path.split('/').includes('..'));
  return value
    .split('\n')
    .filter((path) => path !== '')
    .every(isHome)
    ? null
    : `must be ${BOX_HOME} or below it, which is empty at each start: a service has none of your files. To use them, run capstan run --local`;
}
