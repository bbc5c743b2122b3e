import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** nginx as most people put it before several instances: plain round robin, connections kept open, nothing sticky. */
export interface Balancer {
  url: string;
  port: number;
  /** Sends new requests to these ports alone; requests in progress continue. */
  lead(ports: readonly number[]): Promise<void>;
  close(): Promise<void>;
}

const run = promisify(execFile);
const CACHE = resolve('node_modules/.cache/nginx');

/** The program's path, or why there is none. Debian's own package is unpacked beside where it is not installed. */
export async function findNginx(): Promise<{ path: string } | { missing: string }> {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', join(CACHE, 'usr/sbin')];
  const found = places.map((place) => join(place, 'nginx')).find(existsSync);
  if (found !== undefined) return { path: found };
  try {
    await mkdir(CACHE, { recursive: true });
    await run('apt-get', ['download', 'nginx'], { cwd: CACHE, timeout: 60_000 });
    const [file = ''] = (await readdir(CACHE)).filter((file) => file.endsWith('.deb'));
    await run('dpkg', ['-x', file, '.'], { cwd: CACHE, timeout: 60_000 });
    return { path: join(CACHE, 'usr/sbin/nginx') };
  } catch (error) {
    return { missing: `nginx is not here and could not be fetched (install it, for example by apt): ${error}` };
  }
}

export async function startNginx(path: string, port: number, ports: readonly number[]): Promise<Balancer> {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-nginx-'));
  const config = join(dir, 'nginx.conf');
  await writeFile(config, configOf(dir, port, ports));
  const child = spawn(path, ['-p', dir, '-c', config, '-e', join(dir, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const orphan = () => void child.kill('SIGTERM');
  process.once('exit', orphan);
  void ended.then(() => process.off('exit', orphan));
  await untilOpen(port);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    lead: async (to) => {
      await writeFile(config, configOf(dir, port, to));
      child.kill('SIGHUP');
      // New workers take over within a moment; nothing says when.
      await sleep(500);
    },
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** One worker process, so that requests that come one after another take turns exactly. */
const configOf = (dir: string, port: number, ports: readonly number[]): string => `
${userInfo().uid === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
  client_max_body_size 32m;
  upstream capstan {
${ports.map((port) => `    server 127.0.0.1:${port};`).join('\n')}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port};
    add_header x-instance $upstream_addr always;
    location / {
      proxy_pass http://capstan;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }
}
`;

async function untilOpen(port: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(50)) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error')]).catch(
      () => false,
    );
    socket.destroy();
    if (isOpen === true) return;
  }
  throw new Error('nginx does not listen');
}
