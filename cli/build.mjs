import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * What is published: the program, the client that it is built on, and those files of the service that `--local` loads, as
 * JavaScript in dist/, because Node refuses TypeScript below `node_modules`. Only files that the program reaches are there, and
 * each keeps its place, so what finds another by its path finds it there too. Run by `npm pack`.
 */

process.chdir(import.meta.dirname);
// Node calls `stripTypeScriptTypes` experimental, although it is how the program itself runs.
process.removeAllListeners('warning');
rmSync('dist', { recursive: true, force: true });
copyFileSync('../LICENSE', 'LICENSE');

const root = resolve('..');
const { imports, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
/** Relative and `#` paths to `.ts` in quotes are those of modules and threads. */
const MODULE = /(['"`])((?:\.{1,2}|#[a-z]+)\/[^'"`\s]+)\.ts\1/g;
/** Any other file that a module finds beside itself. */
const BESIDE = /new URL\('(\.\/[^']+\.(?!ts')[a-z]+)', import\.meta\.url\)/g;
/** The description of a declaration of a module, between an empty line and the declaration. */
const DESCRIPTION = /(?<=^|\n\n)\/\*\*(?:(?!\*\/)[\s\S])*\*\/(?=\n(?:export|const|let|function|async|class)\b)/g;
const published = new Set();
const PACKAGE = /(?:\bfrom |\bimport |\bimport\(|\brequire\()'((?:@[^/']+\/)?[^./'#@:][^/':]*)[^':]*'/g;

publish(resolve('src/main.ts'));

function publish(path) {
  if (published.has(path)) return;
  published.add(path);
  const target = join('dist', relative(root, path)).replace(/\.ts$/, '.js');
  mkdirSync(dirname(target), { recursive: true });
  if (!path.endsWith('.ts')) return copyFileSync(path, target);
  const code = withoutTypes(readFileSync(path, 'utf8'));
  writeFileSync(target, code.replace(MODULE, '$1$2.js$1'));
  for (const [, name] of code.matchAll(PACKAGE))
    if (!Object.hasOwn(dependencies, name)) throw new Error(`${path} imports ${name}, which is not in package.json.`);
  for (const [, , specifier] of code.matchAll(MODULE)) publish(`${fileOf(specifier, path)}.ts`);
  for (const [, specifier] of code.matchAll(BESIDE)) publish(fileOf(specifier, path));
}

/**
 * Types become spaces, so that lines and columns stay. Those at the end of a line are of no use and make the tarball larger, and so
 * do descriptions, of which the lines stay.
 */
function withoutTypes(source) {
  const lines = source.split('\n');
  return stripTypeScriptTypes(source)
    .replace(DESCRIPTION, (text) => '\n'.repeat(text.split('\n').length - 1))
    .split('\n')
    .map((line, at) => (/\s$/.test(lines[at]) ? line : line.trimEnd()))
    .join('\n');
}

function fileOf(specifier, from) {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier);
  const [wing, ...rest] = specifier.split('/');
  if (!Object.hasOwn(imports, `${wing}/*`))
    throw new Error(`${from} imports ${specifier}: package.json has no imports of ${wing}.`);
  return join(root, 'src', wing.slice(1), ...rest);
}
