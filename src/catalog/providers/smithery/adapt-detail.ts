import type { Install } from '#catalog/items/item.ts';
import { MAX, text, url } from '#catalog/sync/adapt-fields.ts';
import {
  type InstallInput,
  type InstallPackage,
  type InstallRemote,
  install,
  installInput,
} from '#catalog/sync/install.ts';
import type { ServerDetail } from './wire.ts';

/** How to reach a server, from its detail at Smithery. Pure. */

type Connection = NonNullable<ServerDetail['connections']>[number];

const MOST_CONNECTIONS = 10;
const MOST_VALUES = 20;

export function installOf({ connections, deploymentUrl, remote }: ServerDetail): Install | null {
  const all = (connections ?? []).slice(0, MOST_CONNECTIONS);
  const remotes = all.flatMap(remoteOf);
  // Older responses have the address only outside of `connections`.
  const [alone] =
    remotes.length === 0 && remote === true ? remoteOf({ type: 'http', deploymentUrl: deploymentUrl ?? null }) : [];
  return install(all.flatMap(packageOf), alone === undefined ? remotes : [alone]);
}

/** Configuration values are sent in the query of the address. */
function remoteOf({ type, deploymentUrl, configSchema }: Connection): InstallRemote[] {
  const address = url(deploymentUrl);
  if (type !== 'http' || address === '') return [];
  const asked = inputsOf(configSchema).filter(({ required }) => required);
  const query = asked.map(({ name }) => `${encodeURIComponent(name)}={${name}}`).join('&');
  const joined = query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
  return [{ transport: 'streamable-http', url: joined, headers: [], variables: asked }];
}

function packageOf({ type, bundleUrl, runtime, configSchema }: Connection): InstallPackage[] {
  const identifier = url(bundleUrl);
  if (type !== 'stdio' || identifier === '') return [];
  return [
    {
      registry_type: 'mcpb',
      identifier,
      version: '',
      runtime_hint: text(runtime, MAX.name),
      transport: 'stdio',
      runtime_arguments: [],
      package_arguments: [],
      env: inputsOf(configSchema),
    },
  ];
}

/** Names with other characters cannot be used in a template. */
const NAME = /^[A-Za-z_][\w.-]{0,99}$/;
const SECRET = /key|token|secret|password|credential|auth/i;

function inputsOf(schema: Connection['configSchema']): InstallInput[] {
  const required = new Set(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {})
    .filter(([name]) => NAME.test(name))
    .slice(0, MOST_VALUES)
    .map(([name, value]) => {
      const { description, default: preset, format, type, enum: choices } = (value ?? {}) as Record<string, unknown>;
      return installInput(name, {
        description,
        default: preset,
        format: type,
        choices,
        required: required.has(name),
        secret: format === 'password' || SECRET.test(name),
      });
    });
}
