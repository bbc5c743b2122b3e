import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfValue, type LaunchField, launchFields, launchTarget } from './launch-target.ts';
import { launchesOf } from './launches.ts';
import { packageWith, serverOf } from './server-of.ts';

const KEY = { name: 'API_KEY', required: true, secret: true };
function launchOf(more: object) {
  const [launch] = launchesOf({ packages: [{ registry_type: 'npm', identifier: 'tides', version: '1.0.0', ...more }] });
  assert.ok(launch !== undefined);
  return launch;
}
const run = (more: object, values: Record<string, string> = {}) => launchTarget(launchOf(more), values, []);

test('an environment variable has the given value or its default or is omitted, and secrets are marked', () => {
  const env = [KEY, { name: 'UNITS', default: 'metres' }, { name: 'FIXED', value: '1' }, { name: 'OTHER' }];
  const { target, missing } = run({ env }, { API_KEY: 'k' });
  assert.deepEqual(target.env, { API_KEY: 'k', UNITS: 'metres', FIXED: '1' });
  assert.deepEqual([target.secrets, missing], [['k'], []]);
  assert.deepEqual(run({ env }).missing, ['API_KEY']);
});

test('templates in values are filled in, and JSON in a fixed value is unchanged', () => {
  const env = [
    { name: 'AUTH', value: 'Bearer {token}', variables: [{ name: 'token', required: true, secret: true }] },
    { name: 'FILTER', value: '{"a": {"b": 1}}' },
  ];
  assert.deepEqual(
    launchFields(launchOf({ env })).map(({ name, in: place, secret }) => [name, place, secret]),
    [['token', 'variable', true]],
  );
  const { target } = run({ env }, { token: '{token}' });
  assert.deepEqual(target.env, { AUTH: 'Bearer {token}', FILTER: '{"a": {"b": 1}}' });
  assert.deepEqual(target.secrets.toSorted(), ['Bearer {token}', '{token}']);
});

test('arguments may be options, flags, positional, repeated or omitted', () => {
  const argument = (name: string, type: string, more: object = {}) => ({ name, type, ...more });
  const package_arguments = [
    argument('', 'positional', { value: 'serve' }),
    argument('--port', 'named', { default: '80' }),
    argument('browser', 'named'),
    argument('--headless', 'named', { format: 'boolean' }),
    argument('--quiet', 'named', { format: 'boolean' }),
    argument('folder', 'positional', { repeated: true }),
    argument('--unused', 'named'),
    argument('--flag', 'named'),
    argument('', 'positional', { hint: 'city' }),
    argument('', 'positional'),
  ];
  const values = {
    browser: 'chrome',
    '--headless': 'true',
    '--quiet': 'false',
    folder: '/a\n/b\n',
    '--flag': '',
    city: 'Ulm',
  };
  assert.deepEqual(run({ package_arguments }, values).target.arguments, [
    ...['serve', '--port', '80', '--browser', 'chrome', '--headless', '/a', '/b', '--flag', 'Ulm'],
  ]);
  assert.equal(launchFields(launchOf({ package_arguments })).at(-1)?.name, 'argument 10');
});

test('arguments that would expose a secret are reported, also within a template', () => {
  const package_arguments = [
    { name: '--password', type: 'named', secret: true },
    { name: '--url', type: 'named', value: 'pg://{user}:{pass}@db', variables: [{ name: 'pass', secret: true }] },
  ];
  const values = { '--password': 'p', user: 'u', pass: 'q' };
  assert.deepEqual(run({ package_arguments }, values).exposed, ['--password', '--url']);
  assert.deepEqual(run({ package_arguments }).exposed, []);
});

test('given values are validated against the listing', () => {
  const field = (more: Partial<LaunchField>) =>
    ({ ...launchFields(launchOf({ env: [KEY] }))[0], ...more }) as LaunchField;
  for (const [fault, more, value] of [
    [null, {}, 'line one\nline two'],
    [/longer/, {}, 'x'.repeat(9_000)],
    [/characters/, {}, 'a\0b'],
    [/characters/, {}, '\ud800'],
    [/one of metres, feet/, { choices: ['metres', 'feet'] }, 'miles'],
    [null, { choices: ['metres', 'feet'] }, 'feet'],
    [/true or false/, { format: 'boolean' }, 'yes'],
    [/number/, { format: 'number' }, 'three'],
    [/number/, { format: 'number' }, ''],
    [null, { format: 'number' }, '-1.5e3'],
    [/number/, { format: 'number', repeated: true }, '1\ntwo'],
  ] as const) {
    const found = faultOfValue(field(more as Partial<LaunchField>), value);
    if (fault === null) assert.equal(found, null, value);
    else assert.match(found ?? '', fault);
  }
});

test('a public address is preferred to a package, and a package is used only if it needs no input', () => {
  const remote = { transport: 'streamable-http', url: 'https://mcp.example/mcp' };
  const closed = { ...remote, headers: [{ name: 'Authorization', required: true, secret: true }] };
  const npm = { registry_type: 'npm', identifier: 'tides', version: '1.0.0' };
  const keyed = { ...npm, env: [KEY] };
  const allow = () => null;
  const of = (install: object, refuse: (wanted: { transport: string }) => string | null = allow) => {
    const found = serverOf(install as never, refuse);
    return 'reason' in found ? found.reason : found.transport;
  };
  assert.equal(of({ remotes: [remote], packages: [npm] }), 'streamable-http');
  assert.equal(of({ remotes: [closed], packages: [npm] }), 'stdio');
  assert.equal(of({ packages: [keyed, npm] }), 'stdio');
  assert.equal(of({ packages: [keyed] }), 'missing_env');
  assert.equal(
    of({ remotes: [closed], packages: [npm] }, () => 'off'),
    'auth_needed',
  );
  assert.equal(
    of({ packages: [npm] }, () => 'off'),
    'unsupported',
  );
  const found = serverOf({ packages: [keyed] } as never, allow);
  assert.ok('reason' in found && found.fields?.[0]?.name === 'API_KEY' && /requires API_KEY\.$/.test(found.detail));
});

test('values go to the package that runs without any, else to the first; those that it does not take are named', () => {
  const allow = () => null;
  const npm = { registry_type: 'npm', identifier: 'tides', version: '1.0.0' };
  const units = { name: 'UNITS', choices: ['metres', 'feet'], required: true };
  const install = { packages: [{ ...npm, env: [units, KEY] }] };
  const given = packageWith(install, allow, { UNITS: 'feet' });
  assert.deepEqual([given?.target.env, given?.base.env], [{ UNITS: 'feet' }, {}]);
  assert.deepEqual(
    given?.missing.map(({ name, secret }) => [name, secret]),
    [['API_KEY', true]],
  );
  assert.deepEqual(packageWith(install, allow, { UNITS: 'miles', API_KEY: 'k', OTHER: '1' })?.faults, [
    { name: 'UNITS', detail: 'must be one of metres, feet', is_field: true },
    { name: 'API_KEY', detail: 'is a secret: connect to the server and store it there', is_field: true },
    { name: 'OTHER', detail: 'is not a value that this server takes', is_field: false },
  ]);
  const both = packageWith({ packages: [{ ...npm, env: [units] }, npm] }, allow, {});
  assert.deepEqual([both?.missing, both?.target.env], [[], {}]);
  const bundle = { ...npm, registry_type: 'mcpb' };
  assert.deepEqual(packageWith({ packages: [bundle] }, allow, { depth: '3' })?.target.env, { depth: '3' });
  const remote = { transport: 'streamable-http', url: 'https://mcp.example/mcp' };
  assert.equal(packageWith({ remotes: [remote], packages: [npm] }, allow, {}), null);
  assert.equal(
    packageWith(install, () => 'off', {}),
    null,
  );
});
