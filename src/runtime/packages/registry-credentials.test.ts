import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readNetrc, readNpmrc } from './registry-credentials.ts';

const dir = mkdtempSync(join(tmpdir(), 'capstan-credentials-'));
after(() => rmSync(dir, { recursive: true }));

function fileOf(text: string): string {
  const file = join(dir, 'file');
  writeFileSync(file, text);
  return file;
}
const npm = (text: string, registry: string | null = 'https://npm.example') => readNpmrc(fileOf(text), registry);

test('a token is for its host, port and path alone, and only over TLS or to a configured registry', () => {
  const access = npm(`
    # of the team
    @Ana:registry=http://intranet.example:4873/npm/
    //npm.example/:_authToken="general-token"
    //npm.example/team/:_authToken=team-token
    //intranet.example:4873/npm/:_auth=YW5hOnNlY3JldA==
    always-auth=true
  `);
  const sent = (url: string) => access.authorizationOf(new URL(url));
  assert.equal(sent('https://npm.example/weather'), 'Bearer general-token');
  assert.equal(sent('https://npm.example/team/weather'), 'Bearer team-token');
  assert.equal(sent('https://npm.example/team2'), 'Bearer general-token');
  assert.equal(sent('https://NPM.example/Team/weather'), 'Bearer general-token', 'paths have case, hosts have none');
  assert.equal(sent('http://intranet.example:4873/npm/weather'), 'Basic YW5hOnNlY3JldA==');
  for (const url of [
    'http://npm.example/weather',
    'https://npm.example:8443/weather',
    'https://npm.example.evil.example/weather',
    'https://evil.example/npm.example/',
    'http://intranet.example:4873/other',
    'http://intranet.example/npm/weather',
  ])
    assert.equal(sent(url), null, url);
  assert.equal(access.registryOf('@ana/weather'), 'http://intranet.example:4873/npm');
  assert.deepEqual([access.registryOf('weather'), access.registryOf('@bob/weather')], [null, null]);
  for (const secret of ['general-token', 'team-token', 'secret', 'YW5hOnNlY3JldA=='])
    assert.ok(access.secrets.includes(secret), secret);
  assert.ok(!access.npmrc.includes('always-auth'));
});

test('a user with a password is sent as Basic', () => {
  const access = npm(`//npm.example/:username=ana\n//npm.example/:_password=${btoa('opensesame')}`);
  assert.equal(access.authorizationOf(new URL('https://npm.example/x')), `Basic ${btoa('ana:opensesame')}`);
  assert.ok(access.secrets.includes('opensesame'));
});

test('a line that cannot be used is named without its value', () => {
  for (const [line, why] of [
    [`//npm.example/:_authToken=$${'{NPM_TOKEN}'}`, /line 1: variables/],
    ['//npm.example/:_authToken=two words', /line 1: the value/],
    ['@a b:registry=https://npm.example', /line 1: this is not a scope/],
    ['@ana:registry=ftp://npm.example', /http\(s\) URL/],
    ['@ana:registry=https://ana:pass@npm.example', /no password/],
  ] as const)
    assert.throws(
      () => npm(line),
      (error: Error) => why.test(error.message) && !/NPM_TOKEN|two words|ana:pass/.test(error.message),
    );
  assert.throws(() => readNpmrc(join(dir, 'none'), null), /CAPSTAN_NPMRC.*ENOENT/);
});

test('only the entry of the index host counts, for its origin alone', () => {
  const text =
    'machine other.example login x password y\ndefault login z password z\nmachine pypi.example\n  login ana\n  password open-sesame';
  const access = readNetrc(fileOf(text), 'https://pypi.example/simple');
  const header = `Basic ${btoa('ana:open-sesame')}`;
  assert.equal(access.authorizationOf(new URL('https://pypi.example/simple/weather/')), header);
  for (const url of ['http://pypi.example/simple/', 'https://pypi.example:8443/', 'https://other.example/'])
    assert.equal(access.authorizationOf(new URL(url)), null, url);
  assert.equal(access.index_url, 'https://ana:open-sesame@pypi.example/simple');
  assert.equal(readNetrc(fileOf(text), 'https://none.example/simple').index_url, 'https://none.example/simple');
});
