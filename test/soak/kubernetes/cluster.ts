import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';
import { until } from '../../until.ts';

/** A kube-apiserver and its etcd on the loopback, with RBAC, an audit log and tokens of service accounts. */
export interface Cluster {
  url: string;
  certificate: { key: Buffer; cert: Buffer };
  ca: string;
  /** As an administrator. */
  admin: Admin;
  audit_path: string;
  restart(): Promise<void>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes as they came.
export type Manifest = any;

interface Admin {
  /** @throws Error with the message of the API. */
  call(method: string, path: string, body?: object): Promise<Manifest>;
  status(method: string, path: string, body?: object, token?: string): Promise<{ status: number; body: Manifest }>;
}

interface Programs {
  apiserver: string;
  etcd: string;
  /** For the removal of Pods with their owners. */
  controller_manager: string | null;
}

/** Everything that the service's account does, with bodies: nothing secret may be in it. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'RequestResponse', namespaces: ['capstan'] }, { level: 'None' }],
};
const ADMIN_TOKEN = 'token-of-the-administrator';

export async function openCluster(dir: string, programs: Programs): Promise<Cluster> {
  mkdirSync(dir, { recursive: true });
  const path = (name: string): string => join(dir, name);
  const subject = ['-subj', '/CN=kube-apiserver', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject].concat([
      '-keyout',
      path('tls.key'),
      '-out',
      path('tls.crt'),
    ]),
    { stdio: 'ignore' },
  );
  execFileSync('openssl', ['genrsa', '-out', path('accounts.key'), '2048'], { stdio: 'ignore' });
  execFileSync('openssl', ['rsa', '-in', path('accounts.key'), '-pubout', '-out', path('accounts.pub')], {
    stdio: 'ignore',
  });
  writeFileSync(path('tokens.csv'), `${ADMIN_TOKEN},admin,admin,"system:masters"\n`, { mode: 0o600 });
  writeFileSync(path('audit.json'), JSON.stringify(AUDIT_POLICY));
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const url = `https://127.0.0.1:${port}`;
  const ca = readFileSync(path('tls.crt'), 'utf8');

  const start = (name: string, program: string, args: string[]): (() => Promise<void>) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: dir });
    const log = createWriteStream(path(`${name}.log`), { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    process.once('exit', () => child.kill('SIGKILL'));
    child.once('error', (error) => console.log(`${name}: ${error.message}`));
    return async () => {
      child.kill('SIGKILL');
      await ended;
    };
  };
  const stopEtcd = start('etcd', programs.etcd, [
    `--data-dir=${path('etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
  ]);
  const serve = (): (() => Promise<void>) =>
    start('apiserver', programs.apiserver, [
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      '--endpoint-reconciler-type=none',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--authorization-mode=RBAC',
      '--enable-admission-plugins=PodSecurityPolicy',
      `--token-auth-file=${path('tokens.csv')}`,
      `--tls-cert-file=${path('tls.crt')}`,
      `--tls-private-key-file=${path('tls.key')}`,
      `--service-account-issuer=${url}`,
      `--service-account-signing-key-file=${path('accounts.key')}`,
      `--service-account-key-file=${path('accounts.pub')}`,
      '--kubelet-preferred-address-types=InternalIP',
      `--audit-policy-file=${path('audit.json')}`,
      `--audit-log-path=${path('audit.log')}`,
      '--audit-log-mode=blocking-strict',
    ]);
  let stop = serve();
  const admin = adminOf(url, ca);
  const ready = (): Promise<true> =>
    until('the API server', async () => {
      try {
        return (await admin.status('GET', '/readyz')).status === 200;
      } catch {
        return false;
      }
    });
  await ready();
  let stopManager = async (): Promise<void> => {};
  if (programs.controller_manager !== null) {
    const user = { name: 'admin', user: { token: ADMIN_TOKEN } };
    const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'one', cluster }],
      users: [user],
      contexts: [{ name: 'one', context: { cluster: 'one', user: 'admin' } }],
      'current-context': 'one',
    };
    writeFileSync(path('kubeconfig'), JSON.stringify(config), { mode: 0o600 });
    stopManager = start('controller-manager', programs.controller_manager, [
      `--kubeconfig=${path('kubeconfig')}`,
      '--leader-elect=false',
      '--secure-port=0',
      '--port=0',
      '--controllers=garbagecollector,deployment,replicaset',
    ]);
  }
  return {
    url,
    ca,
    certificate: { key: readFileSync(path('tls.key')), cert: readFileSync(path('tls.crt')) },
    admin,
    audit_path: path('audit.log'),
    restart: async () => {
      await stop();
      stop = serve();
      await ready();
    },
    close: async () => {
      await stopManager();
      await stop();
      await stopEtcd();
    },
  };
}

function adminOf(url: string, ca: string): Admin {
  const status: Admin['status'] = (method, path, body, token = ADMIN_TOKEN) =>
    new Promise((resolve, reject) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': type,
        'content-length': `${Buffer.byteLength(text)}`,
      };
      const sent = request(`${url}${path}`, { method, headers, ca }, async (response) => {
        let answer = '';
        for await (const chunk of response) answer += chunk;
        resolve({ status: response.statusCode ?? 0, body: answer.startsWith('{') ? JSON.parse(answer) : answer });
      });
      sent.once('error', reject);
      sent.end(text);
    });
  return {
    status,
    call: async (method, path, body) => {
      const answer = await status(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.message}`);
      return answer.body;
    },
  };
}
