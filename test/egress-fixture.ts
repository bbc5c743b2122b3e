import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Egress, EgressGate, HostUse } from '#runtime/egress/egress.ts';
import { joinCommand } from '#runtime/egress/join-command.ts';
import { defaultLaunch } from '#runtime/egress/namespace.ts';
import { openNamespaces } from '#runtime/egress/namespaces.ts';
import { type GateOptions, openEgressGate } from '#runtime/egress/open-gate.ts';
import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_KEY } from './fakes/test-authority.ts';

/** Boxes with a gate, and servers for them to reach. */

const launch = defaultLaunch();

/** Why boxes cannot be tested here, or false. */
export const noBoxes: string | false = await whyNoBoxes();

async function whyNoBoxes(): Promise<string | false> {
  if (launch === null) return 'bubblewrap is not installed';
  const namespaces = openNamespaces({ launch, spares: 0 });
  try {
    joinCommand({ user: 3, net: 4 });
    (await namespaces.take([])).close();
    return false;
  } catch (error) {
    return (error as Error).message;
  }
}

interface BoxRun {
  code: number | null;
  stdout: string;
  stderr: string;
  uses: HostUse[];
}

const AUTHORITY_INSIDE = '/authority.pem';
const SHARED = ['/usr', '/lib', '/lib64', '/bin'];
const FOR_TLS = {
  NODE_EXTRA_CA_CERTS: AUTHORITY_INSIDE,
  SSL_CERT_FILE: AUTHORITY_INSIDE,
  CURL_CA_BUNDLE: AUTHORITY_INSIDE,
};

/** A folder that is removed at the end of the process. */
const dir = mkdtempSync(join(tmpdir(), 'egress-'));
process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
const authority = join(dir, 'authority.pem');
writeFileSync(authority, TEST_AUTHORITY, { mode: 0o644 });
chmodSync(dir, 0o755);

/** Starts a program in a box that has joined the gate's namespace, or has an empty one. */
export function startBox(gate: EgressGate, argv: readonly string[]) {
  const { bwrap, node, user } = launch as NonNullable<typeof launch>;
  const descriptors = gate.namespace === null ? [] : [gate.namespace.user_fd, gate.namespace.net_fd];
  const network = gate.namespace === null ? ['--unshare-net'] : [];
  const flags = [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--clearenv', '--setenv', 'PATH', '/usr/bin:/bin', '--proc', '/proc', '--dev', '/dev'],
    ...Object.entries(FOR_TLS).flatMap(([name, value]) => ['--setenv', name, value]),
    ...SHARED.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--ro-bind', node, '/node', '--ro-bind', authority, AUTHORITY_INSIDE, '--tmpfs', '/tmp'],
    ...gate.mounts.flatMap(({ from, to }) => ['--ro-bind', from, to]),
    ...['--chdir', '/tmp'],
  ];
  const joinArgv = gate.namespace === null ? [] : joinCommand({ user: 3, net: 4 });
  const [file, ...args] = [...joinArgv, bwrap, ...network, ...flags, '--', ...argv];
  return spawn(file as string, args, {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe', ...descriptors],
    ...user,
  });
}

/** Runs a program to its end in a box with this egress. */
export async function runBox(
  egress: Egress,
  argv: readonly string[],
  options: Partial<GateOptions> = {},
): Promise<BoxRun> {
  const gate = await openEgressGate(egress, { resolve: toLoopback, guard: { allow_loopback: true }, ...options });
  try {
    const child = startBox(gate, argv);
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdin?.end();
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, stdout, stderr, uses: gate.uses() };
  } finally {
    await gate.close();
  }
}

/** Runs a module in the box's Node. */
export const runNode = (egress: Egress, source: string, options: Partial<GateOptions> = {}): Promise<BoxRun> =>
  runBox(egress, ['/node', '--input-type=module', '--eval', source], options);

/** Every name is this machine. */
export const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }];

export const allow = (host: string, port: number, plain = false): Egress => ({
  mode: 'allow',
  hosts: [{ host, ports: [port], plain }],
});

/** A TLS server for names below example.test and other.test, which answers with the Host header and the path. */
export async function tlsServer(): Promise<{ port: number; requests: string[]; close(): Promise<void> }> {
  const requests: string[] = [];
  const server: Server = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (request, response) => {
    requests.push(`${request.headers.host}${request.url}`);
    response.end(`hello ${request.headers.host?.split(':')[0]}${request.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
