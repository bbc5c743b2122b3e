import type { Static, TSchema } from 'typebox';
import { type Launch, type LaunchInput, launchesOf } from '#catalog/install/launches.ts';
import { type RemoteInput, remotesOf } from '#catalog/install/remotes.ts';
import { defined } from '#core/defined.ts';
import { compileSchema, type Validate } from '#core/http/validate.ts';
import { knownMembers } from '#core/json-schema/known-members.ts';
import { Package, RemoteTransport } from './shapes.ts';

/** Installation and endpoints of a server in the MCP registry's format. Invalid parts are omitted. */

const checks = new Map<TSchema, Validate>([Package, RemoteTransport].map((object) => [object, compileSchema(object)]));

/** The registry's own records contain more than our install format: valid parts are used, without unknown members. */
export const takenOver = (manifest: Record<string, unknown> | null) => ({
  packages: fitting(Package, listOf(manifest?.packages)),
  remotes: fitting(RemoteTransport, listOf(manifest?.remotes)),
});

/** From the common format of listings of all providers. */
export const converted = (install: Record<string, unknown> | null) => ({
  packages: fitting(Package, launchesOf(install).flatMap(packageOf)),
  remotes: fitting(
    RemoteTransport,
    remotesOf(install).map(({ transport, url, headers, variables }) => ({
      type: transport ?? 'streamable-http',
      url,
      ...some('headers', headers.map(namedInput)),
      ...defined({
        variables:
          variables.length === 0
            ? undefined
            : Object.fromEntries(variables.map((variable) => [variable.name, inputOf(variable)])),
      }),
    })),
  ),
});

const fitting = <S extends TSchema>(schema: S, candidates: unknown[]): Static<S>[] =>
  candidates
    .slice(0, MOST)
    .map((candidate) => knownMembers(schema, candidate))
    .filter((value) => checks.get(schema)?.(value).length === 0) as Static<S>[];

const MOST = 50;

function packageOf(launch: Launch): object[] {
  const { registry_type, identifier, version, file_sha256, registry_base_url } = launch.package;
  const transport = transportOf(launch);
  if (transport === null) return [];
  return [
    {
      registryType: registry_type,
      identifier,
      ...defined({
        version: version === '' || version === 'latest' ? undefined : version,
        fileSha256: file_sha256 || undefined,
        registryBaseUrl: registry_base_url || undefined,
        runtimeHint: launch.runtime_hint || undefined,
      }),
      transport,
      ...some('runtimeArguments', argumentsOf(launch.runtime_arguments)),
      ...some('packageArguments', argumentsOf(launch.package_arguments)),
      ...some('environmentVariables', launch.env.map(launchInput)),
    },
  ];
}

/** Null for a server whose address is unknown. */
function transportOf({ transport, endpoint }: Launch): object | null {
  if (transport === 'stdio') return { type: 'stdio' };
  return endpoint === null
    ? null
    : { type: transport, url: endpoint.url, ...some('headers', endpoint.headers.map(launchInput)) };
}

const argumentsOf = (list: LaunchInput[]): object[] =>
  list.filter(({ name, value }) => name !== '' || value !== '').map(argumentOf);

function argumentOf(input: LaunchInput): object {
  const { type, name, repeated } = input;
  const { name: _, ...rest } = launchInput(input);
  return {
    type: type ?? 'positional',
    ...(type === 'named' ? { name } : name === '' ? {} : { valueHint: name }),
    ...defined({ isRepeated: repeated ? true : undefined }),
    ...rest,
  };
}

const launchInput = (input: LaunchInput): { name: string } & object => ({
  name: input.name,
  ...inputOf(input),
  ...defined({
    format: input.format === 'text' ? undefined : input.format,
    choices: input.choices.length === 0 ? undefined : input.choices,
    placeholder: input.hint || undefined,
    variables:
      input.variables.length === 0
        ? undefined
        : Object.fromEntries(
            input.variables.map((variable) => {
              const { name, ...rest } = launchInput(variable);
              return [name, rest];
            }),
          ),
  }),
});

const namedInput = (input: RemoteInput): object => ({ name: input.name, ...inputOf(input) });

const inputOf = ({
  description,
  required,
  secret,
  value,
  default: fallback,
}: Pick<RemoteInput, 'description' | 'required' | 'secret' | 'value' | 'default'>): object => ({
  ...defined({
    description: text(description) === '' ? undefined : description,
    isRequired: required === true || undefined,
    isSecret: secret === true || undefined,
    value: text(value) === '' ? undefined : value,
    default: text(fallback) === '' ? undefined : fallback,
  }),
});

const some = (name: string, list: unknown[]): object => (list.length === 0 ? {} : { [name]: list });
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
