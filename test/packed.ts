import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The client and the command line as they are published: packed, installed in an empty folder, and used from there. */

export const ROOT = new URL('../', import.meta.url).pathname;
const BIN = join(ROOT, 'node_modules/.bin');
const run = promisify(execFile);

/** npm on the Node of `bin`, with nothing of this machine's but its programs where a home is given. */
function npm(args: string[], cwd: string, { home, bin = BIN }: { home?: string; bin?: string | undefined }) {
  const own = home === undefined ? process.env : { HOME: home, npm_config_cache: join(home, 'cache') };
  const env = { ...own, PATH: [bin, BIN, process.env.PATH].join(delimiter) };
  return run('npm', [...args, '--no-audit', '--no-fund'], { cwd, env });
}

const PACKAGES = ['sdk', 'cli'];
const PACKED = ['package.json', 'tsconfig.json', 'build.mjs', 'README.md', 'src'].flatMap((path) =>
  PACKAGES.map((name) => join(name, path)),
);

/** Compiles and packs a copy of both; answers the tarballs. */
export async function packBoth(dir: string): Promise<string[]> {
  const source = join(dir, 'repository');
  const packed = join(dir, 'packed');
  await mkdir(packed, { recursive: true });
  for (const path of [...PACKED.filter((packed) => existsSync(join(ROOT, packed))), 'tsconfig.json', 'LICENSE'])
    await cp(join(ROOT, path), join(source, path), { recursive: true });
  for (const path of ['node_modules', 'src']) await symlink(join(ROOT, path), join(source, path));
  await npm(['pack', ...PACKAGES.map((pkg) => `./${pkg}`), `--pack-destination=${packed}`], source, { home: dir });
  return (await readdir(packed)).map((file) => join(packed, file));
}

/** Builds and packs the server; answers its tarball. */
export async function packServer(dir: string): Promise<string> {
  const [built, packed] = [join(dir, 'built'), join(dir, 'packed-server')];
  await mkdir(packed, { recursive: true });
  await run(process.execPath, [join(ROOT, 'build.mjs'), built]);
  await npm(['pack', built, `--pack-destination=${packed}`], dir, { home: dir });
  return join(packed, (await readdir(packed))[0] as string);
}

/** Without a network: what the packages name stands in for a registry, as the repository has it. */
export async function installOffline(dir: string, tarballs: readonly string[]): Promise<string> {
  const named: { dependencies: object } = JSON.parse(await readFile(join(ROOT, 'cli/package.json'), 'utf8'));
  const links = Object.keys(named.dependencies).map((key) => [key, `file:${join(ROOT, 'node_modules', key)}`]);
  const manifest = { dependencies: Object.fromEntries(links) };
  return install(dir, ['--offline', '--ignore-scripts', ...tarballs], manifest, { home: dir });
}

/** From the registry that this machine knows, by its npm on the Node of `bin`. */
export const installOnline = (dir: string, tarballs: readonly string[], bin?: string): Promise<string> =>
  install(dir, [...tarballs], {}, { bin });

async function install(dir: string, args: string[], manifest: object, on: Parameters<typeof npm>[2]) {
  const user = join(dir, 'user');
  await mkdir(user, { recursive: true });
  await writeFile(join(user, 'package.json'), JSON.stringify({ private: true, type: 'module', ...manifest }));
  await npm(['install', ...args], user, on);
  return user;
}

const SCRIPT = `
import { createCapstan, every, verifyBundle, CapstanError } from '@capstan/sdk';
const capstan = createCapstan({ base_url: process.argv[2] });
const names = [];
for await (const { name } of every(capstan.skills.list, { limit: 5 })) names.push(name);
const bundle = await capstan.receipts.get({ id: process.argv[3] });
const { verdict } = await verifyBundle(bundle, { issuer: capstan });
const error = await capstan.tasks.list().catch((failure) => failure);
console.log(JSON.stringify([names.length, verdict, error instanceof CapstanError && error.code]));
`;

/** Pages through a list, verifies a receipt, has an error of the service. */
export async function useSdk(node: string, user: string, url: string, receipt: string): Promise<void> {
  await writeFile(join(user, 'script.mjs'), SCRIPT);
  const { stdout } = await run(node, ['script.mjs', url, receipt], { cwd: user });
  assert.deepEqual(JSON.parse(stdout), [15, 'valid', 'auth.token_required'], node);
}

/** The installed program on that Node, from the folder of its user, which is its home too. */
export const capstanOf =
  (node: string, user: string, url: string) =>
  async (args: readonly string[], more: Record<string, string> = {}): Promise<string> => {
    const env = { PATH: [dirname(node), process.env.PATH].join(delimiter), HOME: user, CAPSTAN_URL: url, ...more };
    const { stdout } = await run(join(user, 'node_modules/.bin/capstan'), args, { env, cwd: user });
    return stdout;
  };

/** Has data, words for people, and a failure by its exit code. */
export async function useCli(capstan: ReturnType<typeof capstanOf>): Promise<void> {
  assert.equal(JSON.parse(await capstan(['show', 'json-diff'])).name, 'json-diff');
  assert.match(await capstan(['show', 'json-diff', '--text']), /capstan run json-diff/);
  await assert.rejects(capstan(['show', 'no-such-skill']), { code: 3 });
}

/** The one that runs this, and every other that stands in the search path, with its version: `22.19.0`. */
export async function nodesHere(): Promise<{ node: string; version: string }[]> {
  const named = (process.env.PATH ?? '').split(delimiter).map((part) => join(part, 'node'));
  const found = [...new Set([process.execPath, ...named.filter((path) => existsSync(path))])];
  const versions = await Promise.all(found.map((text) => run(text, ['-p', 'process.versions.node'])));
  const all = found.map((node, at) => ({ node, version: (versions[at]?.stdout ?? '').trim() }));
  return all.filter(({ version }, at) => all.findIndex((entry) => entry.version === version) === at);
}
