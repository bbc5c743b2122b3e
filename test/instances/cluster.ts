import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { type Database, type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { postgresConfig } from '../databases.ts';
import { freePort } from '../free-port.ts';
import { type Capstand, capstand, freshDir } from '../process/capstand.ts';
import { type Balancer, startNginx } from './nginx.ts';

/** Several processes of the service on one PostgreSQL behind nginx, as on machines of their own: each has its own DATA_DIR. */
export interface Cluster extends AsyncDisposable {
  /** Of nginx. */
  url: string;
  balancer: Balancer;
  database: Database;
  database_config: DatabaseConfig;
  serving: Instance[];
  working: Instance[];
  /** Of the version in `root`; in place of one that was killed where that is given. */
  start(role: Role, entry?: { root?: string; port?: number }): Promise<Instance>;
  /** Runs a command of the operator beside them. Throws where it fails. */
  operate(args: string[]): Promise<string>;
}

type Role = 'serve' | 'work';

export interface Instance {
  role: Role;
  /** Its own address; empty for one that only works. */
  url: string;
  port: number;
  program: Capstand;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM. Answers the exit code and what was logged. */
  stop(): Promise<{ code: number | null; stderr: string }>;
}

export interface ClusterOptions {
  nginx: string;
  serve: number;
  work: number;
  /** Of nginx; any free one where left out. */
  port?: number;
  env?: Record<string, string>;
  /** Of the version that is started first; this one's where left out. */
  root?: string;
}

/** On the server of TEST_POSTGRES_URL. Nothing migrates the database before the processes do, all at once. */
export async function openCluster({ nginx, serve, work, port, env = {}, root }: ClusterOptions): Promise<Cluster> {
  const { config, drop } = await postgresConfig();
  const ports = await Promise.all(Array.from({ length: serve }, freePort));
  const balancer = await startNginx(nginx, port ?? (await freePort()), ports);
  const dirs: string[] = [];
  const shared = {
    DATABASE_URL: config.engine === 'postgres' ? config.url : '',
    CAPSTAN_SECRET_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: balancer.url,
    CAPSTAN_TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'info',
    ...env,
  };
  const environment = async (more: Record<string, string> = {}) => {
    const DATA_DIR = await freshDir();
    dirs.push(DATA_DIR);
    return { ...shared, DATA_DIR, ...more };
  };
  const begin = async (role: Role, port: number, of?: string): Promise<Instance> => {
    const program = capstand([role], await environment({ PORT: `${port}` }), of);
    if (role === 'serve') await program.url();
    return instanceOf(role, port, program);
  };
  const serving = await Promise.all(ports.map((port) => begin('serve', port, root)));
  const working = await Promise.all(Array.from({ length: work }, () => begin('work', 0, root)));
  const database = await openDatabase(config);
  return {
    url: balancer.url,
    balancer,
    database,
    database_config: config,
    serving,
    working,
    start: async (role, { root: of = root, port: at } = {}) =>
      begin(role, role === 'serve' ? (at ?? (await freePort())) : 0, of),
    operate: async (args) => {
      const { code, stdout, stderr } = await capstand(args, await environment()).ended;
      if (code !== 0) throw new Error(`capstand ${args.join(' ')}: ${code} ${stderr}`);
      return stdout;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...serving, ...working].map((instance) => instance.kill()));
      await balancer.close();
      await database.close();
      await drop();
      for (const dir of dirs) await rm(dir, { recursive: true, force: true });
    },
  };
}

function instanceOf(role: Role, port: number, program: Capstand): Instance {
  // Whatever becomes of the run, nothing is left behind.
  const orphan = () => void program.child.kill('SIGKILL');
  process.once('exit', orphan);
  void program.ended.then(() => process.off('exit', orphan));
  const end = async (signal: NodeJS.Signals) => {
    program.child.kill(signal);
    return program.ended;
  };
  return {
    role,
    port,
    program,
    url: role === 'serve' ? `http://127.0.0.1:${port}` : '',
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}
