import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/**
 * `node own-node.mjs ARGS`, on any Node since 20: runs `node ARGS` on the Node that this package depends on. The scripts of package.json
 * need it because npm 10 installs that Node without linking `node_modules/.bin/node`.
 */

const NODE_MAJOR = 26;
const { platform, arch } = process;
const of_platform = { win32: 'node-win', darwin: arch === 'arm64' ? 'node-bin-darwin' : 'node-darwin' };
const name = `${of_platform[platform] ?? `node-${platform}`}-${arch}`;

function findNode() {
  try {
    const dir = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(dir, 'bin', platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return Number.parseInt(process.versions.node, 10) >= NODE_MAJOR ? process.execPath : null;
  }
}

const node = findNode();
if (node === null) {
  process.stderr.write(`Node ${NODE_MAJOR} is required. Install it, or install ${name} beside this package.\n`);
  process.exit(1);
}
const args = process.argv.slice(2);
const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };

// One process in place of two, where this Node can; otherwise this one passes signals and the exit code on.
if (process.execve !== undefined && platform !== 'win32') process.execve(node, [node, ...args], env);
const child = spawn(node, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});
