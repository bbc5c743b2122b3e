import type { Install } from '#catalog/items/item.ts';
import { MAX, text, url } from '#catalog/sync/adapt-fields.ts';
import {
  type InstallInput,
  type InstallPackage,
  type InstallRemote,
  install,
  installInput,
  textList,
} from '#catalog/sync/install.ts';
import type { Runnable } from './wire.ts';

/** An image, an address, or nothing for entries whose tools are separate containers. */
export const installOf = (runnable: Runnable): Install | null => install(packageOf(runnable), remoteOf(runnable));

function packageOf(entry: Runnable): InstallPackage[] {
  const image = text(entry.image, MAX.url);
  if (image === '') return [];
  const parameters = parametersOf(entry.config);
  const found: InstallPackage = {
    registry_type: 'oci',
    identifier: image,
    version: digestOf(image),
    runtime_hint: 'docker',
    transport: 'stdio',
    runtime_arguments: [],
    package_arguments: (entry.command ?? []).map((value) =>
      installInput('', withVariables(String(value), parameters, 'positional')),
    ),
    env: environmentOf(entry, parameters),
  };
  const hosts = textList(entry.allowHosts, MOST, MAX.name);
  if (hosts.length > 0) found.hosts = hosts;
  if (entry.disableNetwork === true) found.no_network = true;
  const volumes = textList(entry.volumes, MOST, MAX.url).map((volume) => withVariables(volume, parameters).value);
  if (volumes.length > 0) found.volumes = volumes;
  const [user] = textList([entry.user], 1, MAX.name);
  if (user !== undefined) found.user = withVariables(user, parameters).value;
  return [found];
}

const MOST = 50;

/** By path without the server's name: `region`, or `confluence.url` for a nested object. */
type Parameters = ReadonlyMap<string, InstallInput>;

function parametersOf(config: unknown): Parameters {
  const found = new Map<string, InstallInput>();
  const read = (schema: unknown, prefix: string, levels: number): void => {
    const { properties, required } = recordOf(schema);
    const needed = new Set(Array.isArray(required) ? required : []);
    for (const [name, raw] of Object.entries(recordOf(properties)).slice(0, MOST)) {
      const property = recordOf(raw);
      const path = `${prefix}${name}`;
      if (property.type === 'object' && levels > 0) read(property, `${path}.`, levels - 1);
      else
        found.set(
          path,
          installInput(path, {
            description: property.description,
            required: needed.has(name),
            default: property.default,
            format: property.type,
            choices: property.enum,
            hint: property.example,
          }),
        );
    }
  };
  for (const schema of Array.isArray(config) ? config.slice(0, MOST) : []) read(schema, '', 3);
  return found;
}

/** Converts `{{server.region}}` to our form, which is also the MCP Registry's: `{region}` with its variable. */
function withVariables(template: string, parameters: Parameters, type?: 'positional') {
  const variables = new Map<string, InstallInput>();
  const value = template.replace(/\{\{\s*[\w-]{1,100}\.([\w.-]{1,100})\s*\}\}/g, (_match, path: string) => {
    variables.set(path, parameters.get(path) ?? installInput(path));
    return `{${path}}`;
  });
  return { value, type, variables: [...variables.values()] };
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

function remoteOf(runnable: Runnable): InstallRemote[] {
  const address = url(runnable.remote?.url);
  if (address === '') return [];
  const headers = Object.entries(runnable.remote?.headers ?? {}).map(([name, value]) =>
    // Converts `${NAME}` to our form, `{NAME}`.
    installInput(name, {
      value: String(value).replace(/\$\{/g, '{'),
      required: true,
      secret: /\$\{/.test(String(value)),
    }),
  );
  const transport = text(runnable.remote?.transport_type, MAX.name) || 'streamable-http';
  return [{ transport, url: address, headers, variables: secretsOf(runnable) }];
}

const environmentOf = (entry: Runnable, parameters: Parameters): InstallInput[] => [
  ...secretsOf(entry),
  ...(entry.env ?? []).map(({ name, value, example }) =>
    installInput(name, { ...withVariables(String(value ?? ''), parameters), hint: example }),
  ),
];

const secretsOf = (entry: Runnable): InstallInput[] =>
  (entry.secrets ?? []).map(({ env, name, description, example }) =>
    installInput(env ?? name, { description, required: true, secret: true, hint: example }),
  );

/** `sha256:` and the first 12 digits, or '' for an image without a digest. */
export const digestOf = (image: string | null | undefined): string =>
  /@(sha256:[0-9a-f]{12})[0-9a-f]{52}$/.exec(image ?? '')?.[1] ?? '';
