import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, matchesGlob, resolve } from 'node:path';

/**
 * The server as a package in dist/: the files of the image as JavaScript, because Node refuses TypeScript below `node_modules`.
 * A file keeps its place, so what finds another by its path finds it there too. Run by `npm run package`; `node build.mjs DIR` writes
 * another folder.
 */

const dist = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'));
process.chdir(import.meta.dirname);
rmSync(dist, { recursive: true, force: true });
// Node calls `stripTypeScriptTypes` experimental, although it is how the program itself runs.
process.removeAllListeners('warning');

const rules = readFileSync('.dockerignore', 'utf8').split('\n');
const kept = rules.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
const left_out = rules.filter((line) => line.startsWith('**/'));
/** What an installation from the lock file reads. */
const OF_INSTALLING = /(?:^|\/)package(?:-lock)?\.json$/;
/** Browsers get the client from its TypeScript. */
const SERVED = 'sdk/src/';

for (const root of [...kept, 'README.md', 'capstand.mjs', 'own-node.mjs'].filter((path) => !OF_INSTALLING.test(path)))
  for (const path of statSync(root).isDirectory() ? globSync(`${root}/**/*`) : [root])
    if (statSync(path).isFile() && !left_out.some((pattern) => matchesGlob(path, pattern))) publish(path);

function publish(path) {
  const target = join(dist, path);
  mkdirSync(dirname(target), { recursive: true });
  if (!path.endsWith('.ts') || path.startsWith(SERVED)) cpSync(path, target);
  if (path.endsWith('.ts')) writeFileSync(target.replace(/\.ts$/, '.js'), withoutTypes(readFileSync(path, 'utf8')));
}

/** Relative and `#` paths to `.ts` in quotes are those of modules, threads and children. */
function withoutTypes(source) {
  return stripTypeScriptTypes(source).replace(/(['"`])((?:\.{1,2}|#[a-z]+)\/[^'"`\s]+)\.ts\1/g, '$1$2.js$1');
}

// Overrides hold for the root of an installation alone, so the package that needs them comes inside the tarball, with empty packages
// in place of its native ones.
const BUNDLED = 'just-bash';
const inside = join(dist, 'node_modules', BUNDLED);
cpSync(join('node_modules', BUNDLED), inside, { recursive: true });
const { scripts, workspaces, private: _, devDependencies, overrides, allowScripts, ...manifest } = readManifest('.');
const bundled = readManifest(inside);
// npm installs nothing that a bundled package names, so the server names it, as the lock file has it.
for (const name of Object.keys(bundled.dependencies))
  if (!existsSync(join(inside, 'node_modules', name)))
    manifest.dependencies[name] ??= readManifest(join('node_modules', name)).version;
for (const [name, range] of Object.entries(bundled.optionalDependencies))
  writeManifest(join(dist, 'node_modules', name), { name, version: range.replace(/^\D*/, ''), exports: {} });
writeManifest(dist, { ...manifest, bundleDependencies: [BUNDLED] });

function readManifest(dir) {
  return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
}

function writeManifest(dir, fields) {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify(fields, null, 2)}\n`);
}
