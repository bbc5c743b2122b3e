import type { Install } from '#catalog/items/item.ts';
import { MAX, text, url } from '#catalog/sync/adapt-fields.ts';
import {
  type InstallInput,
  type InstallPackage,
  type InstallRemote,
  install,
  installInput,
} from '#catalog/sync/install.ts';
import { compile } from '#core/json-schema/compile.ts';
import { type Input, type NamedInput, NamedInputs, type Package, type Remote } from './wire.ts';

/** The packages and remotes of a server object in our form. */
export const installOf = (packages: Package[], remotes: Remote[]): Install | null =>
  install(packages.map(packageOf), remotes.flatMap(remoteOf));

function packageOf(listed: Package): InstallPackage {
  const found: InstallPackage = {
    registry_type: text(listed.registryType, MAX.name),
    identifier: text(listed.identifier, MAX.url),
    version: text(listed.version, MAX.version),
    runtime_hint: text(listed.runtimeHint, MAX.name),
    transport: text(listed.transport?.type, MAX.name) || 'stdio',
    runtime_arguments: (listed.runtimeArguments ?? []).map(argumentOf),
    package_arguments: (listed.packageArguments ?? []).map(argumentOf),
    env: (listed.environmentVariables ?? []).map(inputWithVariables),
  };
  const sha256 = text(listed.fileSha256, 64).toLowerCase();
  if (/^[0-9a-f]{64}$/.test(sha256)) found.file_sha256 = sha256;
  const baseUrl = url(listed.registryBaseUrl);
  if (baseUrl !== '') found.registry_base_url = baseUrl;
  const endpoint = text(listed.transport?.url, MAX.url);
  if (endpoint !== '') found.endpoint = { url: endpoint, headers: headersOf(listed.transport?.headers) };
  return found;
}

const namedInputs = compile(NamedInputs);

const headersOf = (headers: unknown): InstallInput[] =>
  namedInputs.check(headers) ? (headers as NamedInput[]).map(inputWithVariables) : [];

function remoteOf(remote: Remote): InstallRemote[] {
  const address = url(remote.url);
  if (address === '') return [];
  return [
    {
      transport: text(remote.type, MAX.name),
      url: address,
      headers: (remote.headers ?? []).map(inputOf),
      variables: variablesOf([remote, ...(remote.headers ?? [])]),
    },
  ];
}

// The address and each header have variables; a client asks for each name once.
function variablesOf(holders: { variables?: Record<string, Input> | null }[]): InstallInput[] {
  const found = new Map<string, InstallInput>();
  for (const { variables } of holders)
    for (const [name, input] of Object.entries(variables ?? {})) found.set(name, inputOf({ ...input, name }));
  return [...found.values()];
}

const argumentOf = (argument: NamedInput): InstallInput =>
  installInput(argument.name ?? argument.valueHint, {
    ...partsOf(argument),
    type: argument.type,
    repeated: argument.isRepeated,
    variables: ownVariables(argument),
  });

const inputWithVariables = (input: NamedInput): InstallInput =>
  installInput(input.name ?? input.valueHint, { ...partsOf(input), variables: ownVariables(input) });

/** A header without its variables, which are collected for the whole remote. */
const inputOf = (input: NamedInput): InstallInput => installInput(input.name ?? input.valueHint, partsOf(input));

const ownVariables = ({ variables }: NamedInput): InstallInput[] =>
  Object.entries(variables ?? {}).map(([name, variable]) => installInput(name, partsOf(variable)));

const partsOf = (input: Input) => ({
  description: input.description,
  required: input.isRequired,
  secret: input.isSecret,
  value: input.value,
  default: input.default,
  format: input.format,
  choices: input.choices,
  hint: input.placeholder,
});
