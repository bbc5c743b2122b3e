import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PackageSetting } from '#core/mcp/packaged-servers.ts';
import { faultOfPath, withSettings } from './launch-settings.ts';
import { faultOfValue, launchFields, launchTarget } from './launch-target.ts';
import { launchesOf } from './launches.ts';

const setting = (name: string, more: Partial<PackageSetting> = {}): PackageSetting =>
  Object.assign(
    {
      name,
      description: '',
      type: 'string' as const,
      required: false,
      sensitive: false,
      multiple: false,
      default: '',
      min: null,
      max: null,
    },
    more,
  );

const [bare] = launchesOf({ packages: [{ registry_type: 'mcpb', env: [{ name: 'API_KEY', secret: true }] }] });
const launch = withSettings(bare ?? assert.fail(), [
  setting('API_KEY'),
  setting('count', { type: 'number', min: 1, max: 5, default: '2' }),
  setting('loud', { type: 'boolean' }),
  setting('user-dirs', { type: 'directory', multiple: true, default: `\${HOME}\n\${DOCUMENTS}/notes` }),
  setting('token', { sensitive: true, required: true }),
]);
const fields = new Map(launchFields(launch).map((field) => [field.name, field]));
const fieldOf = (name: string) => fields.get(name) ?? assert.fail(name);

test('settings of a bundle become fields of its launch, after those of the listing', () => {
  assert.deepEqual([...fields.keys()], ['API_KEY', 'count', 'loud', 'user-dirs', 'token']);
  assert.equal(fieldOf('API_KEY').secret, true);
  assert.equal(fieldOf('user-dirs').default, '/tmp\n/tmp/notes');
  const { target, missing } = launchTarget(launch, { count: '3', loud: 'true' }, []);
  assert.deepEqual(target.env, { count: '3', loud: 'true', 'user-dirs': '/tmp\n/tmp/notes' });
  assert.deepEqual(missing, ['token']);
});

for (const [name, value, fault] of [
  ['count', '0', 'must be at least 1'],
  ['count', '6', 'must be at most 5'],
  ['count', 'two', 'must be a number'],
  ['count', '5', null],
  ['loud', 'yes', 'must be true or false'],
] as const)
  test(`the value ${value} of ${name}: ${fault ?? 'is accepted'}`, () =>
    assert.equal(faultOfValue(fieldOf(name), value), fault));

test('a folder on a service is in the box alone, and the next step is named for others', () => {
  for (const value of ['/tmp', '/tmp/notes\n/tmp']) assert.equal(faultOfPath(fieldOf('user-dirs'), value), null);
  for (const value of ['/home/ana', '/tmp/../etc', '/tmp\n/etc', 'notes'])
    assert.match(faultOfPath(fieldOf('user-dirs'), value) ?? '', /capstan run --local/);
  assert.equal(faultOfPath(fieldOf('count'), '/home/ana'), null);
});
