import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../free-port.ts';
import { imageFiles } from '../image-files.ts';

/**
 * `npm run soak -- image`: what the Dockerfile does, without an engine. What .dockerignore leaves is installed without what
 * only developers need; then the program runs from a tree that it cannot write to, as nobody where this is root, answers
 * its health check, and ends at SIGTERM.
 */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const app = mkdtempSync(join(tmpdir(), 'capstan-image-'));
const data = mkdtempSync(join(tmpdir(), 'capstan-image-data-'));
for (const file of imageFiles()) {
  mkdirSync(dirname(join(app, file)), { recursive: true });
  cpSync(file, join(app, file));
}
if (user.uid !== undefined) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, app, data]);
const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
// Without what the npm that runs this tells its children.
const outside = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const install = { cwd: app, ...user, env: { ...outside, PATH, HOME: data }, stdio: 'inherit' as const };
execFileSync('sh', ['-c', installStep()], install);
if (user.uid !== undefined) execFileSync('chown', ['-R', '0:0', app]);
execFileSync('chmod', ['-R', 'a+rX,a-w', app]);
chmodSync(data, 0o700);

const sizes = globSync('**/*', { cwd: app }).map((path) => statSync(join(app, path)).size);
console.log(`${Math.round(sizes.reduce((sum, size) => sum + size) / 2 ** 20)} MiB installed, without Node`);
const env = { PATH, HOME: '/tmp', DATA_DIR: data, PORT: `${await freePort()}`, CAPSTAN_PROVIDERS: 'off' };
const flags = ['--import', './src/app/compile-cache.mjs', 'src/app/main.ts'];
const started = performance.now();
const service = spawn(process.execPath, [...flags, 'serve'], { cwd: app, ...user, env, stdio: 'inherit' });
const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
function health(): boolean {
  try {
    execFileSync(process.execPath, [...flags, 'health'], { cwd: app, ...user, env, stdio: 'inherit' });
    return true;
  } catch {
    return false;
  }
}
let healthy = false;
while (!healthy && performance.now() - started < 60_000 && service.exitCode === null) healthy = health();
console.log(healthy ? 'the health check answers' : 'the health check never answered');
service.kill('SIGTERM');
const code = await ended;
console.log(`ended by SIGTERM with ${code}`);
rmSync(app, { recursive: true });
rmSync(data, { recursive: true });
process.exit(healthy && code === 0 ? 0 : 1);

/** The command that installs, as the Dockerfile has it. */
function installStep(): string {
  const lines = readFileSync('Dockerfile', 'utf8').replaceAll(/\\\n/g, ' ').split('\n');
  return (lines.find((line) => line.startsWith('RUN npm ci')) ?? '').replace(/^RUN /, '');
}
