/**
 * Replaces the engine, like code that has escaped from it into the process: all of Node is available. What
 * it reaches is reported as one line of JSON on descriptor 3. Its targets replace `@FILE@` and the like.
 */
import async_hooks from 'node:async_hooks';
import child_process from 'node:child_process';
import cluster from 'node:cluster';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import inspector from 'node:inspector';
import module from 'node:module';
import net from 'node:net';
import os from 'node:os';
import tls from 'node:tls';
import v8 from 'node:v8';
import vm from 'node:vm';
import { Worker } from 'node:worker_threads';

const [PORT, UDP, PID] = ['@PORT@', '@UDP@', '@PID@'].map(Number);
const require = module.createRequire('/');
const worked = [];
async function attempt(what, act) {
  try {
    const got = await act();
    if (got !== undefined && got !== false) worked.push(`${what}: ${String(got).slice(0, 200)}`);
  } catch {}
}
const said = (got) => (got.error ? undefined : String(got.stdout ?? got));

for (const path of [
  '@FILE@',
  '/proc/self/root@FILE@',
  '/proc/self/cwd/../../..@FILE@',
  '/proc/@PID@/environ',
  '/proc/self/fd/17',
  Buffer.from('@FILE@'),
  new URL('file://@FILE@'),
  '//@FILE@',
  '/./@FILE@',
  `${process.cwd()}/../../../../../../../../..@FILE@`,
]) {
  await attempt(`read ${path}`, () => fs.readFileSync(path));
  await attempt(`open ${path}`, () => fs.openSync(path, 'r'));
  await attempt(`promise ${path}`, () => fs.promises.readFile(path));
  await attempt(
    `stream ${path}`,
    () => new Promise((resolve, reject) => fs.createReadStream(path).on('data', resolve).on('error', reject)),
  );
  await attempt(`blob ${path}`, async () => (await fs.openAsBlob(path)).text());
  await attempt(`cp ${path}`, () => fs.cpSync(path, '/tmp/stolen'));
  await attempt(`env file ${path}`, () => process.loadEnvFile(path) ?? 'loaded');
  await attempt(`require ${path}`, () => require(String(path)));
  await attempt(`import ${path}`, () => import(String(path)));
  await attempt(`dlopen ${path}`, () => process.dlopen({ exports: {} }, String(path)) ?? 'loaded');
  await attempt(`binding ${path}`, () => process.binding('fs').readFileUtf8(String(path), 0));
  await attempt(`list ${path}`, () => fs.readdirSync(path));
  await attempt(`stat ${path}`, () => fs.statSync(path).size);
  await attempt(
    `worker ${path}`,
    () =>
      new Promise((resolve, reject) => {
        const options = { eval: true, execArgv: ['--allow-fs-read=*'], env: { NODE_OPTIONS: '--allow-fs-read=*' } };
        const worker = new Worker(
          `require('worker_threads').parentPort.postMessage(require('fs').readFileSync(${JSON.stringify(String(path))}))`,
          options,
        );
        worker.on('message', resolve).on('error', reject);
      }),
  );
}
const writes = {
  write: () => fs.writeFileSync('@DIR@/new', 'x'),
  truncate: () => fs.truncateSync('@FILE@'),
  unlink: () => fs.unlinkSync('@FILE@'),
  rm: () => fs.rmSync('@DIR@', { recursive: true }),
  mkdir: () => fs.mkdirSync('@DIR@/d'),
  symlink: () => fs.symlinkSync('@FILE@', '@DIR@/l'),
  link: () => fs.linkSync('@FILE@', '@DIR@/h'),
  rename: () => fs.renameSync('@FILE@', '@DIR@/moved'),
  chmod: () => fs.chmodSync('@FILE@', 0),
  utimes: () => fs.utimesSync('@FILE@', 0, 0),
  mkdtemp: () => fs.mkdtempSync('@DIR@/t'),
  append: () => fs.appendFileSync('@FILE@', 'x'),
  stream: () =>
    new Promise((resolve, reject) => fs.createWriteStream('@DIR@/s').on('open', resolve).on('error', reject)),
  snapshot: () => v8.writeHeapSnapshot('@DIR@/heap'),
  near_limit: () => v8.setHeapSnapshotNearHeapLimit(1),
  report: () => process.report.writeReport('@DIR@/report'),
  report_to: () => {
    process.report.directory = '@DIR@';
    return process.report.writeReport();
  },
  coverage: () => v8.takeCoverage(),
  cpu: () => v8.startCpuProfile?.('@DIR@/p'),
  sqlite: () => new (require('node:sqlite').DatabaseSync)('@DIR@/db'),
  storage: () => globalThis.localStorage.setItem('a', 'b'),
  flags: () => v8.setFlagsFromString('--logfile=@DIR@/log'),
  log: () => {
    v8.setFlagsFromString('--prof');
    v8.setFlagsFromString('--redirect-code-traces-to=@DIR@/code');
  },
  trace: () =>
    require('node:trace_events')
      .createTracing({ categories: ['v8'] })
      .enable(),
  compile_cache: () => {
    const { status, directory } = module.enableCompileCache('@DIR@/cache');
    return directory ? `${status} ${directory}` : undefined;
  },
  socket: () =>
    new Promise((resolve, reject) =>
      net
        .createServer()
        .listen('@DIR@/sock', () => resolve('listens'))
        .on('error', reject),
    ),
};
for (const [what, act] of Object.entries(writes))
  await attempt(`write by ${what}`, async () => {
    await act();
    return fs.existsSync('@DIR@/new') || undefined;
  });

for (const [what, act] of Object.entries({
  spawn: () => said(child_process.spawnSync('/bin/cat', ['@FILE@'])),
  exec: () => child_process.execSync('cat @FILE@'),
  fork: () => child_process.fork('/tmp/x').pid,
  cluster: () => cluster.fork().process.pid,
  wrap: () => {
    const { Process } = process.binding('process_wrap');
    return new Process().spawn({ file: '/bin/true', args: ['true'] }) === 0 || undefined;
  },
  spawn_sync: () => process.binding('spawn_sync').spawn({ file: '/bin/true', args: ['true'], stdio: [] }).pid,
  execve: () => process.execve('/bin/true', ['true'], {}),
  wasi: () => new (require('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }) && 'made',
  inspector: () => inspector.open(0) ?? inspector.url(),
  session: () => {
    const s = new inspector.Session();
    s.connectToMainThread();
    return 'connected';
  },
  kill: () => process.kill(PID, 0),
  raw_kill: () => process._kill(PID, 0),
  debug: () => process._debugProcess(PID) ?? 'signalled',
  priority: () => os.setPriority(PID, 1) ?? 'set',
  group: () => process.kill(-process.ppid, 0),
  uid: () => process.setuid(0) ?? (process.getuid() === 0 || undefined),
  gid: () => process.setgroups([0]) ?? 'set',
  chdir: () => process.chdir('@DIR@') ?? 'changed',
  permission: () =>
    process.permission.has('fs.write') || process.permission.has('child') || process.permission.has('net') || undefined,
  main: () => vm.runInNewContext('this.constructor.constructor("return process")()').binding('fs').open,
}))
  await attempt(what, act);

const heard = (socket) =>
  new Promise((resolve, reject) => socket.on('connect', () => resolve('connected')).on('error', reject));
for (const [what, act] of Object.entries({
  tcp: () => heard(net.connect(PORT, '127.0.0.1')),
  tls: () => heard(tls.connect(PORT, '127.0.0.1')),
  http: () => new Promise((resolve, reject) => http.get('http://127.0.0.1:@PORT@/', resolve).on('error', reject)),
  http2: () => heard(http2.connect('http://127.0.0.1:@PORT@')),
  fetch: () => fetch('http://127.0.0.1:@PORT@/'),
  websocket: () =>
    new Promise((resolve, reject) => {
      const ws = new WebSocket('ws://127.0.0.1:@PORT@/');
      ws.onopen = resolve;
      ws.onerror = reject;
    }),
  udp: () =>
    new Promise((resolve, reject) => {
      const s = dgram.createSocket('udp4');
      s.on('error', reject);
      s.send('evil', UDP, '127.0.0.1', (error) => (error ? reject(error) : resolve('sent')));
    }),
  udp_connected: () =>
    new Promise((resolve, reject) => {
      const s = dgram.createSocket('udp4');
      s.on('error', reject);
      s.connect(UDP, '127.0.0.1', () => {
        s.send('evil');
        resolve('sent');
      });
    }),
  udp_bound: () =>
    new Promise((resolve, reject) => {
      const s = dgram.createSocket('udp4');
      s.on('error', reject);
      s.bind(0, () => resolve('bound'));
    }),
  lookup: () =>
    dns.promises
      .lookup('canary.invalid')
      .catch((error) => (error.code === 'ERR_ACCESS_DENIED' ? undefined : error.code)),
  resolve: () => {
    const r = new dns.promises.Resolver({ timeout: 50, tries: 1 });
    r.setServers(['127.0.0.1:@UDP@']);
    return r.resolve4('canary.invalid').catch((error) => (error.code === 'ERR_ACCESS_DENIED' ? undefined : error.code));
  },
  listen: () =>
    new Promise((resolve, reject) =>
      net
        .createServer()
        .listen(0, () => resolve('listens'))
        .on('error', reject),
    ),
  wrap: () => {
    const { TCP, TCPConnectWrap } = process.binding('tcp_wrap');
    const h = new TCP(0);
    const r = new TCPConnectWrap();
    return h.connect(r, '127.0.0.1', PORT) === 0 || undefined;
  },
  unix: () => heard(net.connect('/var/run/docker.sock')),
}))
  await attempt(`network by ${what}`, () => Promise.race([act(), new Promise((resolve) => setTimeout(resolve, 300))]));

await attempt('environment', () => JSON.stringify(process.env).match(/canary[^"]*/)?.[0]);
await attempt('hooks', () => async_hooks.executionAsyncResource() && undefined);
for (let fd = 4; fd < 40; fd++)
  await attempt(`descriptor ${fd}`, () => {
    const s = fs.fstatSync(fd);
    return (s.isSocket() || s.isFile()) && fs.readSync(fd, Buffer.alloc(9)) > 0 ? 'readable' : undefined;
  });
fs.writeSync(3, `${JSON.stringify(worked)}\n`);
process.exit(0);
