import type { Static, TSchema } from 'typebox';
import { type RemoteInput, remotesOf } from '#catalog/install/remotes.ts';
import { compileSchema, type Validate } from '#core/http/validate.ts';
import { knownMembers } from '#core/json-schema/known-members.ts';
import { Package, RemoteTransport } from './shapes.ts';

/** How a server is installed or reached, in the MCP registry's form. What does not fit its form is left out. */

const checks = new Map<TSchema, Validate>([Package, RemoteTransport].map((it) => [it, compileSchema(it)]));

/** The registry's own records hold more than our install form keeps: what fits is taken over, without unknown members. */
export const takenOver = (manifest: Record<string, unknown> | null) => ({
  packages: fitting(Package, listOf(manifest?.packages)),
  remotes: fitting(RemoteTransport, listOf(manifest?.remotes)),
});

/** From the one form that listings of all providers have. */
export const converted = (install: Record<string, unknown> | null) => ({
  packages: fitting(Package, listOf(install?.packages).flatMap(packageOf)),
  remotes: fitting(
    RemoteTransport,
    remotesOf(install).map(({ transport, url, headers, variables }) => ({
      type: transport ?? 'streamable-http',
      url,
      ...some('headers', headers.map(namedInput)),
      ...(variables.length === 0
        ? {}
        : { variables: Object.fromEntries(variables.map((it) => [it.name, inputOf(it)])) }),
    })),
  ),
});

const fitting = <S extends TSchema>(schema: S, candidates: unknown[]): Static<S>[] =>
  candidates
    .slice(0, MOST)
    .map((it) => knownMembers(schema, it))
    .filter((it) => checks.get(schema)?.(it).length === 0) as Static<S>[];

const MOST = 50;

function packageOf(it: unknown): object[] {
  if (typeof it !== 'object' || it === null) return [];
  const of = it as Record<string, unknown>;
  // A package that is started as a server of its own would need an address, which this form does not keep.
  if (text(of.transport) !== 'stdio' && text(of.transport) !== '') return [];
  const version = text(of.version);
  return [
    {
      registryType: of.registry_type,
      identifier: of.identifier,
      ...(version === '' || version === 'latest' ? {} : { version }),
      ...(text(of.runtime_hint) === '' ? {} : { runtimeHint: of.runtime_hint }),
      transport: { type: 'stdio' },
      ...some('runtimeArguments', argumentsOf(of.runtime_arguments)),
      ...some('packageArguments', argumentsOf(of.package_arguments)),
      ...some('environmentVariables', inputsOf(of.env).map(namedInput)),
    },
  ];
}

const inputsOf = (list: unknown): RemoteInput[] =>
  listOf(list).filter((it): it is RemoteInput => typeof it === 'object' && it !== null);

const argumentsOf = (list: unknown): object[] =>
  inputsOf(list)
    .filter((it) => text(it.name) !== '' || text(it.value) !== '')
    .map(argumentOf);

/** A name with a dash is an option; any other names the place of a value. */
const argumentOf = (it: RemoteInput): object =>
  text(it.name).startsWith('-')
    ? { type: 'named', ...namedInput(it) }
    : { type: 'positional', ...(text(it.name) === '' ? {} : { valueHint: it.name }), ...inputOf(it) };

const namedInput = (it: RemoteInput): object => ({ name: it.name, ...inputOf(it) });

const inputOf = ({ description, required, secret, value, default: fallback }: RemoteInput): object => ({
  ...(text(description) === '' ? {} : { description }),
  ...(required === true ? { isRequired: true } : {}),
  ...(secret === true ? { isSecret: true } : {}),
  ...(text(value) === '' ? {} : { value }),
  ...(text(fallback) === '' ? {} : { default: fallback }),
});

const some = (name: string, list: unknown[]): object => (list.length === 0 ? {} : { [name]: list });
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
