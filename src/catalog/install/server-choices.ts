import type { Static } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import { launchFields } from './launch-target.ts';
import { launchesOf } from './launches.ts';
import { remoteFields } from './remote-fields.ts';
import { remotesOf } from './remotes.ts';

/** The addresses and packages that a listing offers, each with the values that a connection to it takes. Pure. */

const text = Type.String();

const ServerInput = Type.Object({
  name: text,
  in: Type.Enum(['header', 'variable', 'env', 'argument']),
  description: text,
  required: Type.Boolean(),
  secret: Type.Boolean({ description: 'Stored as a credential after the connection is created.' }),
  default: text,
  format: Type.Enum(['text', 'number', 'boolean', 'filepath', 'directory', 'file']),
  choices: Type.Array(text, { description: 'The only values allowed; empty for any.' }),
  repeated: Type.Boolean({ description: 'Takes several values, one per line.' }),
  hint: Type.String({ description: 'An example of the value; may be empty.' }),
  min: Type.Optional(Type.Number({ description: 'Of a number: the lowest allowed.' })),
  max: Type.Optional(Type.Number({ description: 'Of a number: the highest allowed.' })),
});

export const ServerChoice = Type.Object({
  remote: Type.Union([Type.Integer(), Type.Null()], { description: '`listing.remote` of a new connection.' }),
  package: Type.Union([Type.Integer(), Type.Null()], { description: '`listing.package` of a new connection.' }),
  title: Type.String({ description: 'The URL, or the ecosystem, name and version of the package.' }),
  inputs: Type.Array(ServerInput),
  hosts: Type.Array(text, { description: 'Hosts that the listing of the package names.' }),
});
export type ServerChoice = Static<typeof ServerChoice>;

const MOST_CHOICES = 20;
const MOST_INPUTS = 100;

/** Addresses first, as a connection prefers them. */
export function serverChoices(install: Record<string, unknown> | null): ServerChoice[] {
  const remotes = remotesOf(install)
    .filter(({ transport }) => transport !== null)
    .slice(0, MOST_CHOICES)
    .map((remote, at) => ({
      remote: at,
      package: null,
      title: remote.url,
      inputs: remoteFields(remote)
        .slice(0, MOST_INPUTS)
        .map(({ value: _, ...field }) => ({
          ...field,
          format: 'text' as const,
          choices: [],
          repeated: false,
          hint: '',
        })),
      hosts: [],
    }));
  const packages = launchesOf(install)
    .slice(0, MOST_CHOICES)
    .map((launch, at) => ({
      remote: null,
      package: at,
      title: [launch.package.registry_type, launch.package.identifier, launch.package.version]
        .filter((part) => part !== '')
        .join(' '),
      inputs: launchFields(launch).slice(0, MOST_INPUTS),
      hosts: launch.hosts,
    }));
  return [...remotes, ...packages].slice(0, MOST_CHOICES);
}
