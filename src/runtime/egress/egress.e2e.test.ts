import assert from 'node:assert/strict';
import { existsSync, fstatSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { allow, noBoxes, runBox, runNode, startBox, tlsServer, toLoopback } from '#test/egress-fixture.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '#test/fakes/test-authority.ts';
import { until } from '#test/until.ts';
import type { HostUse } from './egress.ts';
import { openNamespaces } from './namespaces.ts';
import { openEgressGate } from './open-gate.ts';

/** Clients without a proxy setting, in real boxes. */

const skip = noBoxes;
const server = await tlsServer();
after(() => server.close());
const { port } = server;
const url = `https://api.example.test:${port}/path`;
const granted = allow('api.example.test', port);
const brief = ({ host, port, outcome, reason, connections }: HostUse) =>
  `${outcome} ${host}:${port} ${reason} ${connections}`;

test('fetch() in a box reaches a granted host, and the gate counts its bytes', { skip }, async () => {
  const { stdout, stderr, uses } = await runNode(granted, `console.log(await (await fetch('${url}')).text())`);
  assert.equal(stdout, 'hello api.example.test/path\n', stderr);
  assert.deepEqual(uses.map(brief), [`reached api.example.test:${port} null 1`]);
  // A certificate comes in, a request goes out.
  assert.ok((uses[0]?.bytes_in ?? 0) > 1_000 && (uses[0]?.bytes_out ?? 0) > 300, JSON.stringify(uses));
});

for (const [program, ...args] of [
  ['/usr/bin/curl', '-sS', url],
  ['/usr/bin/curl', '-sS4', '--tlsv1.3', url],
  ['/usr/bin/curl', '-sS', '--tls-max', '1.2', url],
  ['/usr/bin/python3', '-c', `import urllib.request as u; print(u.urlopen('${url}').read().decode())`],
] as [string, ...string[]][]) {
  const absent = existsSync(program) ? skip : `${program} is not installed`;
  test(`${program} ${args[1]} ${args[2]?.startsWith('http') ? '' : args[2]} reaches a granted host`, {
    skip: absent,
  }, async () => {
    const { stdout, stderr } = await runBox(granted, [program, ...args]);
    assert.equal(stdout.trim(), 'hello api.example.test/path', stderr);
  });
}

test('the DNS server of a box answers over UDP and TCP', { skip }, async () => {
  const source = `
    import dns from 'node:dns/promises';
    console.log(await dns.resolve4('api.example.test'), await dns.resolve6('api.example.test').catch((e) => e.code),
      await dns.resolveTxt('api.example.test').catch((e) => e.code), await dns.resolve4('other.test').catch((e) => e.code));
    import { connect } from 'node:net';
    const socket = connect(53, '127.0.0.1');
    const name = '\\x03api\\x07example\\x04test\\x00\\x00\\x01\\x00\\x01';
    const ask = Buffer.from('\\x00\\x22\\x12\\x34\\x01\\x00\\x00\\x01\\x00\\x00\\x00\\x00\\x00\\x00' + name, 'latin1');
    for (const byte of Buffer.concat([ask, ask])) socket.write(Buffer.of(byte));
    let bytes = '';
    socket.on('data', (chunk) => {
      bytes += chunk.toString('hex');
      if (bytes.length === 2 * 2 * 52) { console.log([...Buffer.from(bytes, 'hex').subarray(-4)].join('.')); socket.end(); }
    });`;
  const { stdout, stderr } = await runNode(granted, source);
  assert.equal(stdout, "[ '127.64.0.1' ] ENODATA ENODATA ENOTFOUND\n127.64.0.1\n", stderr);
});

test('reaches each name below a wildcard, and records them separately', { skip }, async () => {
  const source = `for (const name of ['a.example.test', 'b.example.test', 'example.test'])
    console.log(await fetch('https://' + name + ':${port}').then((r) => r.text(), (e) => e.cause.code));`;
  const { stdout, uses } = await runNode(allow('*.example.test', port), source);
  assert.equal(stdout, 'hello a.example.test/\nhello b.example.test/\nENOTFOUND\n');
  assert.deepEqual(uses.map(brief).sort(), [
    `reached a.example.test:${port} null 1`,
    `reached b.example.test:${port} null 1`,
    'refused example.test:0 not_granted 2',
  ]);
});

test('transfers 5 MB in both directions without loss', { skip }, async () => {
  const large = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY, allowHalfOpen: true }, (socket) => {
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.on('end', () => socket.end(Buffer.alloc(bytes, 'x')));
  });
  await new Promise<void>((resolve) => large.listen(0, '127.0.0.1', resolve));
  const at = (large.address() as AddressInfo).port;
  const source = `
    import { connect } from 'node:tls';
    const socket = connect({ host: 'api.example.test', port: ${at}, servername: 'api.example.test', allowHalfOpen: true });
    let bytes = 0;
    socket.on('data', (chunk) => { bytes += chunk.length });
    socket.on('end', () => console.log(bytes));
    socket.end(Buffer.alloc(5_000_000));`;
  const { stdout, stderr, uses } = await runNode(allow('api.example.test', at), source);
  assert.equal(stdout, '5000000\n', stderr);
  assert.ok((uses[0]?.bytes_in ?? 0) > 5_000_000 && (uses[0]?.bytes_out ?? 0) > 5_000_000);
  large.close();
});

test('reaches a server that requests a second ClientHello', { skip }, async () => {
  const asking = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY, ecdhCurve: 'P-521' }, (socket) =>
    socket.end('hi'),
  );
  await new Promise<void>((resolve) => asking.listen(0, '127.0.0.1', resolve));
  const at = (asking.address() as AddressInfo).port;
  const source = `
    import { connect } from 'node:tls';
    connect({ host: 'api.example.test', port: ${at}, servername: 'api.example.test' }).pipe(process.stdout);`;
  const { stdout, stderr } = await runNode(allow('api.example.test', at), source);
  assert.equal(stdout, 'hi', stderr);
  asking.close();
});

test('reaches a plain HTTP server only with a plain grant', { skip }, async () => {
  const http = createHttpServer((_request, response) => response.end('plain'));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const at = (http.address() as AddressInfo).port;
  const source = `console.log(await fetch('http://api.example.test:${at}').then((r) => r.text(), (e) => e.cause.code))`;
  const closedGuard = { guard: { allow_loopback: false } };
  assert.equal((await runNode(allow('api.example.test', at, true), source, closedGuard)).stdout, 'plain\n');
  const { stdout, uses } = await runNode(allow('api.example.test', at), source);
  assert.equal(stdout, 'ECONNRESET\n');
  assert.deepEqual(uses.map(brief), [`refused api.example.test:${at} not_tls 1`]);
  http.close();
});

test('without egress no host is reached, and with `watch` the requested hosts are recorded', { skip }, async () => {
  const source = `for (const name of ['api.example.test', 'second.example.test'])
    console.log(await fetch('https://' + name).catch((e) => e.cause.code))`;
  const watched = await runNode({ mode: 'none', watch: true }, source);
  assert.equal(watched.stdout, 'ENOTFOUND\nENOTFOUND\n');
  assert.deepEqual(watched.uses.map(brief), [
    'refused api.example.test:0 not_granted 2',
    'refused second.example.test:0 not_granted 2',
  ]);
  const unwatched = await runNode({ mode: 'none', watch: false }, source);
  assert.match(unwatched.stdout, /^(?:EAI_AGAIN|ENOTFOUND)\n(?:EAI_AGAIN|ENOTFOUND)\n$/);
  assert.deepEqual(unwatched.uses, []);
});

test('records each refused connection with its reason, and sends a TLS alert where possible', { skip }, async () => {
  const source = `console.log(await fetch('${url}').then((r) => r.text(), (e) => e.cause.message))`;
  const refusals: [string, Parameters<typeof runNode>[2]][] = [
    ['unresolvable', { resolve: async () => [] }],
    ['private_address', { guard: { allow_loopback: false } }],
    ['unreachable', { resolve: async () => [{ address: '127.77.77.77', family: 4 }] }],
    ['too_many', { limits: { connections: 0 } }],
    ['too_large', { limits: { bytes: 1_000 } }],
    ['timeout', { limits: { total_ms: 0 } }],
  ];
  for (const [reason, options] of refusals) {
    const { stdout, uses } = await runNode(granted, source, options);
    const row = uses.find(({ outcome }) => outcome === 'refused');
    assert.equal(row?.reason, reason, JSON.stringify(uses));
    assert.equal(row?.host, 'api.example.test');
    if (['unresolvable', 'private_address', 'unreachable'].includes(reason)) assert.match(stdout, /access denied/);
    assert.doesNotMatch(stdout, /hello/);
  }
});

test('refuses ports of a granted host that are not granted', { skip }, async () => {
  const source = `for (const at of [80, 443]) await fetch('https://api.example.test:' + at).catch(() => {})`;
  const { uses } = await runNode(granted, source);
  assert.deepEqual(uses.map(brief), ['refused api.example.test:80 port 1', 'refused api.example.test:443 port 1']);
});

test('refuses a client that sends no ClientHello in time', { skip }, async () => {
  const source = `
    import { connect } from 'node:net';
    connect(${port}, 'api.example.test').on('error', (e) => console.log(e.code));`;
  const { stdout, uses } = await runNode(granted, source, { limits: { hello_ms: 50 } });
  assert.equal(stdout, 'ECONNRESET\n');
  assert.deepEqual(uses.map(brief), [`refused api.example.test:${port} hello_timeout 1`]);
});

test('closes an idle connection', { skip }, async () => {
  const silent = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const at = (silent.address() as AddressInfo).port;
  const source = `
    import { connect } from 'node:net';
    connect(${at}, 'api.example.test').on('error', () => {}).on('close', () => console.log('closed')).write('hello');`;
  const { stdout, uses } = await runNode(allow('api.example.test', at, true), source, { limits: { idle_ms: 50 } });
  assert.equal(stdout, 'closed\n');
  assert.deepEqual(uses.map(brief).sort(), [
    `reached api.example.test:${at} null 1`,
    `refused api.example.test:${at} timeout 1`,
  ]);
  silent.close();
});

test('close() ends open connections, and the recorded uses stay available', { skip }, async () => {
  const accepted: Socket[] = [];
  const silent = createServer((socket) => void accepted.push(socket.on('error', () => {}).resume()));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const at = (silent.address() as AddressInfo).port;
  const gate = await openEgressGate(allow('api.example.test', at, true), { resolve: toLoopback });
  const source = `
    import { connect } from 'node:net';
    const ends = (end) => { console.log(end); process.exit() };
    connect(${at}, 'api.example.test').on('error', ends).on('close', () => ends('closed')).write('hello');`;
  const child = startBox(gate, ['/node', '--input-type=module', '--eval', source]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await until('the connection', () => accepted.length === 1 && (accepted[0]?.bytesRead ?? 0) > 0);
  await gate.close();
  await gate.close();
  assert.equal(await ended, 0);
  assert.deepEqual(gate.uses().map(brief), [`reached api.example.test:${at} null 1`]);
  await until('the end at the server', () => accepted[0]?.readableEnded || accepted[0]?.destroyed);
  for (const socket of accepted) socket.destroy();
  silent.close();
});

test('uses each spare namespace once and replaces it', { skip }, async () => {
  const namespaces = openNamespaces({ spares: 1 });
  const taken = [];
  for (let round = 0; round < 3; round++) {
    await namespaces.ready();
    taken.push(await namespaces.take([443]));
  }
  // The kernel reuses the inode number of a closed namespace, so all of them stay open until here.
  assert.equal(new Set(taken.map(({ net_fd }) => fstatSync(net_fd).ino)).size, 3);
  for (const namespace of taken) namespace.close();
  await namespaces.close();
});

test('names the reason when namespaces cannot be created', { skip }, async () => {
  const launch = { bwrap: '/usr/bin/bwrap', node: '/nowhere/node', user: null, prefix: [] };
  await assert.rejects(
    openNamespaces({ launch }).take([443]),
    (error: { code: string; reason?: string; message: string }) => {
      assert.deepEqual([error.code, error.reason], ['runs.unavailable', 'egress_unavailable']);
      assert.match(error.message, /nowhere/);
      return true;
    },
  );
  await assert.rejects(openNamespaces({ launch: null }).take([443]), {
    code: 'runs.unavailable',
    reason: 'egress_unavailable',
  });
});
