import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installHint, storedHint } from './install-hint.ts';

const stored = (install: unknown): string => storedHint(JSON.stringify(install));

test('the hint of a server is its address, with sign-in if required, or its start command', () => {
  const remote = { url: 'https://mcp.example.com/mcp', transport: 'streamable-http', headers: [], variables: [] };
  const secret = { name: 'Authorization', required: true, secret: true, value: 'Bearer {key}' };
  const npm = { registry_type: 'npm', identifier: '@ana/weather' };
  assert.equal(stored({ remotes: [remote], packages: [npm] }), 'remote https://mcp.example.com/mcp');
  assert.equal(
    stored({ remotes: [{ ...remote, headers: [secret] }] }),
    'remote https://mcp.example.com/mcp (sign-in needed)',
  );
  assert.equal(stored({ packages: [npm], remotes: [] }), 'npx -y @ana/weather');
  assert.equal(stored({ git_url: 'https://github.com/ana/skills/tree/main/pdf' }), 'npx skills add ana/skills');
});

test('the hint of a package has its exact version and its fixed arguments', () => {
  const npm = { registry_type: 'npm', identifier: '@ana/weather', version: '1.2.3' };
  const argument = (name: string, value: string, type = 'positional') => ({ name, value, type });
  assert.equal(
    stored({ packages: [{ ...npm, package_arguments: [argument('', 'serve')] }] }),
    'npx -y @ana/weather@1.2.3 serve',
  );
  assert.equal(
    stored({
      packages: [{ ...npm, package_arguments: [argument('--mode', 'stdio', 'named'), argument('', '$(id)')] }],
    }),
    'npx -y @ana/weather@1.2.3 --mode stdio',
  );
  assert.equal(
    stored({ packages: [{ ...npm, package_arguments: [{ name: 'city', required: true }] }] }),
    'npx -y @ana/weather@1.2.3',
  );
  const pypi = { registry_type: 'pypi', identifier: 'weather', version: '2.0' };
  assert.equal(stored({ packages: [pypi] }), 'uvx weather@2.0');
  assert.equal(stored({ packages: [{ ...npm, version: 'latest' }] }), 'npx -y @ana/weather');
});

test('a name with characters that are special in a shell gives no hint', () => {
  for (const identifier of ['x; rm -rf ~', '$(id)', '-rf', 'a b', "a'b", '', 3, null])
    assert.equal(stored({ packages: [{ registry_type: 'npm', identifier }], remotes: [] }), '');
  assert.equal(stored({ remotes: [{ url: 'javascript:alert(1)' }], packages: [] }), '');
  // A value that cannot be converted to text.
  const poison = { toString: 1 };
  assert.equal(stored({ packages: [{ registry_type: poison, identifier: 'x' }] }), '');
  const had = (external_id: string) => installHint({ provider_id: 'docker', external_id, listing_type: 'server' }, '');
  assert.deepEqual([had('time'), had('a;b'), had('a`b`')], ['docker mcp server enable time', '', '']);
});

test('without a stored hint, the command is derived from the id', () => {
  const had = (provider_id: string, external_id: string, listing_type = 'skill') =>
    installHint({ provider_id, external_id, listing_type }, '');
  assert.equal(had('skills-sh', 'ana/skills/pdf'), 'npx skills add ana/skills --skill pdf');
  assert.equal(had('clawhub', 'ana/pdf'), 'openclaw skills install @ana/pdf');
  assert.equal(had('claude-plugins', 'pdf@official', 'harness'), '/plugin install pdf@official');
  assert.equal(had('glama', 'ana/pdf', 'server'), '');
});
