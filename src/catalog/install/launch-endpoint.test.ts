import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointOf, launchFault } from './launch-endpoint.ts';
import { launchFields, launchTarget } from './launch-target.ts';
import { type Launch, launchesOf } from './launches.ts';

/** Packages whose servers listen at an address, as registries list them. */

function launch(url: string, more: object = {}): Launch {
  const listed = {
    registry_type: 'npm',
    identifier: 'web',
    version: '1.0.0',
    transport: 'streamable-http',
    endpoint: { url, headers: [] },
    ...more,
  };
  const [found] = launchesOf({ packages: [listed] });
  return found ?? assert.fail();
}

test('addresses on localhost are reached at their port and path', () => {
  const reached = (url: string, more?: object) => {
    const found = endpointOf(launch(url, more), () => null);
    return 'fault' in found ? found.fault : `${found.endpoint.transport} ${found.endpoint.port}${found.endpoint.path}`;
  };
  assert.equal(reached('http://localhost:3000/mcp'), 'streamable-http 3000/mcp');
  assert.equal(reached('http://127.0.0.1:8000/mcp/?v=1', { transport: 'sse' }), 'sse 8000/mcp/?v=1');
  assert.equal(reached('http://[::1]:4321/'), 'streamable-http 4321/');
  assert.equal(reached('http://0.0.0.0:4321'), 'streamable-http 4321/');
  assert.equal(reached('http://{host}:9000/mcp'), 'streamable-http 9000/mcp');
  assert.equal(reached('http://localhost/mcp'), 'streamable-http 80/mcp');
  const env = [{ name: 'PORT', value: '5001' }];
  assert.equal(reached('http://127.0.0.1:{port}/mcp', { env }), 'streamable-http 5001/mcp');
});

test('a port left open by the listing is chosen, shown in the form and passed to the server', () => {
  const open = launch('http://127.0.0.1:{port}/mcp', { package_arguments: [{ name: '--port', type: 'named' }] });
  assert.deepEqual(
    launchFields(open).map(({ name, default: value }) => [name, value]),
    [['--port', '8080']],
  );
  const { target } = launchTarget(open, {}, []);
  assert.deepEqual([target.arguments, target.endpoint?.port], [['--port', '8080'], 8_080]);
  const chosen = launchTarget(open, { '--port': '9999' }, []).target;
  assert.deepEqual([chosen.arguments, chosen.endpoint?.port], [['--port', '9999'], 9_999]);
  assert.equal(launchFault(open), null);
});

test('launchFault() says why a server cannot be reached in a box', () => {
  for (const [url, more, expected] of [
    ['https://example.com/mcp', {}, /no address on localhost/],
    ['https://localhost:5000/mcp', {}, /no address on localhost/],
    ['http://localhost:443/mcp', {}, /listens at port 443/],
    ['http://localhost:53/mcp', {}, /listens at port 53/],
    ['http://localhost:{port}/mcp', {}, /does not say at which port/],
    ['', {}, /does not say at which port/],
    ['http://localhost:3000/mcp', { transport: 'websocket' }, /transport of its server is unsupported/],
    [
      'http://localhost:3000/mcp',
      { endpoint: { url: 'http://localhost:3000/mcp', headers: [{ name: 'Authorization', required: true }] } },
      /requires headers/,
    ],
  ] as const)
    assert.match(launchFault(launch(url, more)) ?? '', expected, url);
});

test('headers of the listing are sent, except those of the transport', () => {
  const headers = [
    { name: 'X-Team', value: 'north' },
    { name: 'Host', value: 'elsewhere.example' },
    { name: 'X-Key', value: '{key}' },
  ];
  const { target } = launchTarget(launch('', { endpoint: { url: 'http://localhost:3000/mcp', headers } }), {}, []);
  assert.deepEqual(target.endpoint?.headers, { 'X-Team': 'north' });
});

test('a package over standard input and output has no endpoint', () => {
  const [plain] = launchesOf({ packages: [{ registry_type: 'npm', identifier: 'a', version: '1.0.0' }] });
  assert.equal(launchTarget(plain ?? assert.fail(), {}, []).target.endpoint, undefined);
});
