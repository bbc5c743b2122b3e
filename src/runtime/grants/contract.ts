import { deleted } from '#accounts/users/deleted.ts';
import { SOURCES } from '#catalog/items/own-listings.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { UNAVAILABLE_REASONS } from '#runtime/runs/capability.ts';

/** What a user gives a skill to run with, as data. */

const closed = { additionalProperties: false };
const PATH = '/api/agents/skills/{provider}/{id}/grants';

const Params = Type.Object({
  provider: Type.Enum([...SOURCES], { description: '`capstan` for skills that were published here.' }),
  id: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Id of the listing, URL-encoded; of a published skill also `publisher/name`.',
  }),
});
const PARAMS = { provider: 'clawhub' as const, id: 'ana/tides' };

const MOST_VALUES = 50;
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Value = Type.String({ maxLength: 8_192, pattern: '^[^\\u0000]*$' });
const Secret = Type.String({ minLength: 1, maxLength: 8_192, pattern: '^[^\\u0000]*$', writeOnly: true });
const Hosts = Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
  maxItems: 50,
  description: 'Hosts that the script may reach, such as `api.example.com`, `*.example.com` or `api.example.com:8443`.',
});
const Environment = Type.Record(Name, Value, {
  maxProperties: MOST_VALUES,
  description: 'Values of environment variables that are not secret.',
});

const Seen = Type.String({
  minLength: 1,
  maxLength: 100,
  description: '`digest` of the version that you looked at. A 409 if another one is current now.',
});

const Ecosystem = Type.Enum(['npm', 'pypi']);
const Digest = Type.String({ description: 'SHA-256 in hexadecimal.' });

export const Grants = Type.Object({
  provider: Type.Enum([...SOURCES]),
  external_id: Type.String({ description: 'The id of the listing, also where the request named it otherwise.' }),
  version: Type.String(),
  digest: Type.String(),
  needs: Type.Object({
    packages: Type.Array(
      Type.Object({
        ecosystem: Ecosystem,
        name: Type.String(),
        wanted: Type.String({ description: 'Versions that will do; empty for any.' }),
        from: Type.String(),
      }),
    ),
    programs: Type.Array(Type.Array(Type.String()), { description: 'Of each list, one program is enough.' }),
    environment: Type.Array(
      Type.Object({
        name: Type.String(),
        secret: Type.Boolean({ description: 'By its name: store it as a secret.' }),
        stored: Type.Boolean(),
      }),
    ),
    hosts: Type.Array(Type.String(), {
      description: 'Hosts that its metadata declares. Declaring a host does not grant it.',
    }),
  }),
  environment: Environment,
  secrets: Type.Array(Type.String(), { description: 'Names of the stored secrets, never their values.' }),
  hosts: Hosts,
  proposed_hosts: Type.Array(Type.String(), { description: 'Hosts that runs asked for and that are not granted.' }),
  install: Type.Boolean({ description: 'Whether the packages that it needs now may be installed.' }),
  locks: Type.Array(
    Type.Object({
      digest: Type.String({ description: 'Of the version of the skill.' }),
      ecosystem: Ecosystem,
      lock_sha256: Digest,
      tree_sha256: Digest,
      created_at: Type.String({ format: 'date-time' }),
    }),
    { description: 'The exact packages of each version that ran: later runs get the same ones.' },
  ),
  unavailable: Type.Union(
    [Type.Object({ reason: Type.Enum([...UNAVAILABLE_REASONS]), detail: Type.String() }), Type.Null()],
    { description: 'Why it cannot run now; null if it can.' },
  ),
});

const EXAMPLE = {
  ...PARAMS,
  provider: 'clawhub' as const,
  external_id: 'ana/tides',
  version: '1.2.0',
  digest: 'sha256:9d4e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6',
  needs: {
    packages: [{ ecosystem: 'npm' as const, name: 'zod', wanted: '^3.0.0', from: 'package.json' }],
    programs: [['curl']],
    environment: [
      { name: 'TIDES_API_KEY', secret: true, stored: true },
      { name: 'REGION', secret: false, stored: false },
    ],
    hosts: ['api.tides.example'],
  },
  environment: {},
  secrets: ['TIDES_API_KEY'],
  hosts: ['api.tides.example'],
  proposed_hosts: [],
  install: true,
  locks: [],
  unavailable: {
    reason: 'missing_env' as const,
    detail: 'tides needs REGION in its environment. Give REGION with the run: --env NAME=value.',
  },
};
const { id: _, ...SHOWN } = EXAMPLE;

const FINDING = ['runs.not_found', 'runs.gone', 'runs.unsupported', 'http.unavailable'] as const;
const STORING = [...FINDING, 'runs.input_invalid', 'users.quota_exceeded', 'users.limit_exceeded'] as const;
const whole = (description: string) => jsonAnswer(description, Grants, SHOWN);

export const grantsContract = {
  get: operation({
    id: 'runtime.grants.get',
    method: 'GET',
    path: PATH,
    summary: 'Get the needs and grants of a skill',
    description:
      'What the scripts of a listed or published skill need to run: packages, programs, environment variables. And what you ' +
      'gave it: values, names of secrets, hosts, and the permission to install its packages. Language models that run the ' +
      'skill can start its scripts with this, and with nothing else.',
    access: 'jwt',
    params: Params,
    examples: PARAMS,
    answers: { 200: whole('Needs and grants.') },
    problems: [...FINDING],
  }),
  update: operation({
    id: 'runtime.grants.update',
    method: 'PUT',
    path: PATH,
    summary: 'Change what a skill may use',
    description:
      'Omitted members do not change. `{"install":true}` accepts the packages that the skill needs now, and forgets earlier ' +
      'locks, so that the next run locks the newest versions.',
    access: 'jwt',
    params: Params,
    examples: PARAMS,
    body: Type.Object(
      {
        environment: Type.Optional(Environment),
        install: Type.Optional(Type.Boolean({ description: 'Whether its packages may be installed in its box.' })),
      },
      { ...closed, minProperties: 1 },
    ),
    body_example: { environment: { REGION: 'eu' } },
    answers: { 200: whole('The current needs and grants.') },
    problems: [...STORING],
  }),
  replaceHosts: operation({
    id: 'runtime.grants.replaceHosts',
    method: 'PUT',
    path: `${PATH}/hosts`,
    summary: 'Grant hosts to a skill',
    description:
      'Replaces the hosts that the script may reach. A host that you grant can receive everything that the script knows, its ' +
      'secrets included, so this needs a signature, whose text names the hosts. Secrets and hosts are given only to the version that you agreed to: ' +
      'sending `hosts`, also the same ones, or storing a secret agrees to the version with this `digest`, which then gets all ' +
      'that is stored.',
    access: 'sensitive',
    signs: ['hosts'],
    params: Params,
    examples: PARAMS,
    body: Type.Object({ hosts: Hosts, digest: Seen }, closed),
    body_example: { hosts: ['api.tides.example'], digest: EXAMPLE.digest },
    answers: { 200: whole('The current needs and grants.') },
    problems: [...STORING, 'runs.conflict'],
  }),
  storeSecrets: operation({
    id: 'runtime.grants.storeSecrets',
    method: 'PUT',
    path: `${PATH}/secrets`,
    summary: 'Store the secrets of a skill',
    description:
      'Those that are named are stored, null deletes one, and others stay. They are encrypted, given only to the box of ' +
      'the script as environment variables, masked in its output, and never returned.',
    access: 'sensitive',
    confirm_window: 'credentials',
    params: Params,
    examples: PARAMS,
    body: Type.Object(
      {
        secrets: Type.Record(Name, Type.Union([Secret, Type.Null()]), {
          maxProperties: MOST_VALUES,
          description: 'By the name of the variable.',
        }),
        digest: Type.Optional(Seen),
      },
      closed,
    ),
    body_example: { secrets: { TIDES_API_KEY: 'EXAMPLE-key-of-tides' } },
    answers: { 200: whole('The current needs and grants, with the names of the secrets.') },
    problems: [...STORING, 'runs.conflict'],
  }),
  delete: operation({
    id: 'runtime.grants.delete',
    method: 'DELETE',
    path: PATH,
    summary: 'Delete the settings of a skill',
    description: 'Deletes its values, secrets, hosts and locks. The next run asks again.',
    access: 'jwt',
    params: Params,
    examples: PARAMS,
    answers: { 200: deleted('Deleted.') },
    problems: [],
  }),
} as const;
