import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, normalize, relative } from 'node:path';
import { coreProblem } from '#core/errors.ts';
import type { FieldError } from '#core/problem/problem.ts';
import type { BoxLimits, BoxOrder, Mount } from './box.ts';

const MAX_ARGUMENTS = 1_000;
const MAX_VARIABLES = 1_000;
const MAX_MOUNTS = 100;
/** The kernel's own limit for one argument or variable is 128 KiB. */
const MAX_TEXT_BYTES = 131_071;
const MAX_TOTAL_BYTES = 1_048_576;
const SYSTEM_PATHS = ['bin', 'dev', 'etc', 'lib', 'lib32', 'lib64', 'libx32', 'proc', 'sbin', 'sys', 'usr'];

/** @throws `http.invalid` (`input`), naming each wrong field. Values of the environment are never quoted. */
export function checkOrder(order: BoxOrder): void {
  const errors: FieldError[] = [
    ...argvErrors(order.argv),
    ...envErrors(order.env),
    ...(isPlainPath(order.cwd) ? [] : [at('/cwd', 'Use an absolute path inside the box without ".." or NUL.')]),
    ...(order.root === undefined ? [] : folderErrors('/root', order.root)),
    ...mountErrors(order),
    ...limitErrors(order.limits),
  ];
  if (errors.length === 0) return;
  const detail = `The order for the box is invalid: ${errors[0]?.pointer} ${errors[0]?.detail}`;
  throw coreProblem('http.invalid', detail, { reason: 'input', errors });
}

function argvErrors(argv: readonly string[]): FieldError[] {
  if (argv.length === 0 || argv[0] === '') return [at('/argv', 'Name a program.')];
  if (argv[0]?.startsWith('-')) return [at('/argv/0', 'The name of a program must not begin with "-".')];
  if (argv.length > MAX_ARGUMENTS) return [at('/argv', `Use at most ${MAX_ARGUMENTS} arguments.`)];
  return textErrors('/argv', argv);
}

function envErrors(env: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(env);
  if (entries.length > MAX_VARIABLES) return [at('/env', `Use at most ${MAX_VARIABLES} variables.`)];
  const wrong = entries.find(([name]) => !/^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(name));
  if (wrong !== undefined)
    return [at('/env', 'Names of variables have letters, digits and underscores, and no digit first.')];
  return textErrors(
    '/env',
    entries.map(([name, value]) => `${name}=${value}`),
  );
}

function textErrors(pointer: string, texts: readonly string[]): FieldError[] {
  if (texts.some((text) => text.includes('\0'))) return [at(pointer, 'Text must not contain NUL characters.')];
  const sizes = texts.map((text) => Buffer.byteLength(text));
  if (sizes.some((size) => size > MAX_TEXT_BYTES))
    return [at(pointer, `One text has at most ${MAX_TEXT_BYTES} bytes.`)];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total > MAX_TOTAL_BYTES ? [at(pointer, `All together have at most ${MAX_TOTAL_BYTES} bytes.`)] : [];
}

function mountErrors({ mounts, disk }: BoxOrder): FieldError[] {
  if (mounts.length > MAX_MOUNTS) return [at('/mounts', `Use at most ${MAX_MOUNTS} mounts.`)];
  const folder = disk === null ? [] : folderErrors('/disk/dir', disk.dir);
  return [...folder, ...mounts.flatMap((mount, index) => mountError(`/mounts/${index}`, mount, disk?.dir ?? null))];
}

function mountError(pointer: string, { from, to, writable }: Mount, diskDir: string | null): FieldError[] {
  if (!isPlainPath(from) || lstatSync(from, { throwIfNoEntry: false }) === undefined)
    return [at(`${pointer}/from`, 'Use the absolute path of an existing file or folder.')];
  // A link in the path may lead anywhere by the time that it is mounted.
  if (realpathSync(from) !== from) return [at(`${pointer}/from`, 'Use a path without symbolic links.')];
  const top = to.split('/')[1] ?? '';
  if (!isPlainPath(to) || to === '/' || SYSTEM_PATHS.includes(top))
    return [at(`${pointer}/to`, 'Use an absolute path inside the box, outside the folders of the system.')];
  if (writable && (diskDir === null || !isInside(from, diskDir)))
    return [at(`${pointer}/writable`, 'Only disk.dir and folders in it may be writable.')];
  return [];
}

function folderErrors(pointer: string, dir: string): FieldError[] {
  const stat = isPlainPath(dir) ? lstatSync(dir, { throwIfNoEntry: false }) : undefined;
  if (!stat?.isDirectory() || realpathSync(dir) !== dir)
    return [at(pointer, 'Use the absolute path of an existing folder without symbolic links.')];
  return [];
}

function limitErrors(limits: BoxLimits): FieldError[] {
  return Object.entries(limits)
    .filter(([, value]) => value !== null && !(Number.isSafeInteger(value) && value > 0))
    .map(([name]) => at(`/limits/${name}`, 'Use a positive integer.'));
}

const at = (pointer: string, detail: string): FieldError => ({ pointer, detail });

const isPlainPath = (path: string): boolean =>
  isAbsolute(path) && !path.includes('\0') && normalize(path) === path && (path === '/' || !path.endsWith('/'));

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
