import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { clientInstalls } from './client-installs.ts';

const listed = (install: object) => ({ name: 'io.example/Weather Now!', external_id: 'x', install: install as never });
const clientsOf = (install: object) => clientInstalls(listed(install))?.clients ?? [];
const of = (install: object) =>
  Object.fromEntries(clientsOf(install).map(({ client, command, link }) => [client, command || link]));

test('a remote server has one install command or link per client', () => {
  const url = 'https://mcp.example.com/mcp';
  const how = of({ remotes: [{ url, transport: 'streamable-http' }] });
  assert.equal(how['claude-code'], `claude mcp add --transport http weather-now ${url}`);
  assert.equal(how.codex, `codex mcp add weather-now --url ${url}`);
  assert.equal(how['gemini-cli'], `gemini mcp add --transport http weather-now ${url}`);
  assert.equal(how.any, `npx add-mcp ${url}`);
  assert.equal(how.vscode, `code --add-mcp '{"name":"weather-now","type":"http","url":"${url}"}'`);
  const config = new URL(how.cursor as string).searchParams.get('config') as string;
  assert.deepEqual(JSON.parse(Buffer.from(config, 'base64').toString()), { url });
});

test('configuration entries use the file, key and fields of each client', () => {
  const url = 'https://mcp.example.com/mcp';
  const held = (install: object) =>
    Object.fromEntries(clientsOf(install).flatMap(({ client, config }) => (config === null ? [] : [[client, config]])));
  const remote = held({ remotes: [{ url, transport: 'streamable-http' }] });
  assert.deepEqual(remote['gemini-cli'], {
    format: 'json',
    user_file: '.gemini/settings.json',
    project_file: '.gemini/settings.json',
    key: 'mcpServers',
    value: { httpUrl: url },
  });
  assert.deepEqual(remote.vscode?.value, { type: 'http', url });
  assert.deepEqual(remote.windsurf?.value, { serverUrl: url });
  assert.deepEqual(remote.goose?.value, {
    name: 'weather-now',
    enabled: true,
    timeout: 300,
    type: 'streamable_http',
    uri: url,
  });
  assert.equal(remote['claude-desktop'], undefined, 'supports local programs only');
  const local = held({ packages: [{ registry_type: 'npm', identifier: '@ana/weather' }] });
  assert.deepEqual(local['claude-desktop']?.value, { command: 'npx', args: ['-y', '@ana/weather'] });
  assert.deepEqual(local.zed?.value, { source: 'custom', command: 'npx', args: ['-y', '@ana/weather'] });
  assert.deepEqual(local.codex?.format, 'toml');
});

test('install links contain the name and the address of the server', () => {
  const url = 'https://mcp.example.com/mcp?a=1&b=2';
  const links = Object.fromEntries(
    clientsOf({ remotes: [{ url, transport: 'streamable-http' }] }).map(({ client, link }) => [client, link]),
  );
  const after = (link: string) => link.slice(link.indexOf('?') + 1);
  assert.deepEqual(JSON.parse(decodeURIComponent(after(links.vscode as string))), {
    name: 'weather-now',
    type: 'http',
    url,
  });
  const kiro = new URL(links.kiro as string).searchParams;
  assert.deepEqual([kiro.get('name'), JSON.parse(kiro.get('config') as string)], ['weather-now', { url }]);
  assert.equal(new URL(links.goose as string).searchParams.get('url'), url);
});

test('a package has its start command per client, with placeholders for required values', () => {
  const env = [{ name: 'API_KEY', required: true }, { name: 'x;y', required: true }, { name: 'OPTIONAL' }];
  const how = of({ packages: [{ registry_type: 'npm', identifier: '@ana/weather', env }] });
  assert.equal(how['claude-code'], "claude mcp add --env API_KEY='<API_KEY>' weather-now -- npx -y @ana/weather");
  const image = of({ packages: [{ registry_type: 'oci', identifier: 'mcp/weather', env }] });
  assert.match(image.codex as string, /-- docker run -i --rm -e API_KEY mcp\/weather$/);
  assert.deepEqual(of({ packages: [{ registry_type: 'npm', identifier: 'a; rm -rf ~' }] }), {});
  const package_arguments = [
    { name: '--city', type: 'named', required: true },
    { name: '--key', type: 'named', value: 'of {user}' },
    { name: '--optional', type: 'named' },
  ];
  const asked = of({ packages: [{ registry_type: 'pypi', identifier: 'weather', version: '2.0', package_arguments }] });
  assert.equal(asked.codex, "codex mcp add weather-now -- uvx weather@2.0 --city '<--city>' --key 'of <user>'");
});

test('addresses in install commands are quoted for the shell', () => {
  const url = "https://mcp.example.com/$(id)/`id`/'; id; '?a=1&b=2 #x";
  const how = of({ remotes: [{ url, transport: 'streamable-http' }] });
  const line = (how.codex as string).replace(/^codex/, "printf '%s\\n'");
  const words = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).trim().split('\n');
  assert.deepEqual(words, ['mcp', 'add', 'weather-now', '--url', url]);
});
