import type { Install } from '#catalog/items/item.ts';
import { MAX, text, url } from '#catalog/sync/adapt-fields.ts';
import {
  type InstallInput,
  type InstallPackage,
  type InstallRemote,
  install,
  installInput,
} from '#catalog/sync/install.ts';
import type { Input, NamedInput, Package, Remote } from './wire.ts';

/** Packages and remotes of a server object in our form. */
export const installOf = (packages: Package[], remotes: Remote[]): Install | null =>
  install(packages.map(packageOf), remotes.flatMap(remoteOf));

const packageOf = (it: Package): InstallPackage => ({
  registry_type: text(it.registryType, MAX.name),
  identifier: text(it.identifier, MAX.url),
  version: text(it.version, MAX.version),
  runtime_hint: text(it.runtimeHint, MAX.name),
  transport: text(it.transport?.type, MAX.name) || 'stdio',
  runtime_arguments: (it.runtimeArguments ?? []).map(inputOf),
  package_arguments: (it.packageArguments ?? []).map(inputOf),
  env: (it.environmentVariables ?? []).map(inputOf),
});

const remoteOf = (it: Remote): InstallRemote[] => {
  const address = url(it.url);
  if (address === '') return [];
  return [
    {
      transport: text(it.type, MAX.name),
      url: address,
      headers: (it.headers ?? []).map(inputOf),
      variables: variablesOf([it, ...(it.headers ?? [])]),
    },
  ];
};

// Variables hang on the address and on each header; a client asks for each name once.
const variablesOf = (holders: { variables?: Record<string, Input> | null }[]): InstallInput[] => {
  const found = new Map<string, InstallInput>();
  for (const { variables } of holders)
    for (const [name, input] of Object.entries(variables ?? {})) found.set(name, inputOf({ ...input, name }));
  return [...found.values()];
};

const inputOf = (it: NamedInput): InstallInput =>
  installInput(it.name ?? it.valueHint, {
    description: it.description,
    required: it.isRequired,
    secret: it.isSecret,
    value: it.value,
    default: it.default,
  });
