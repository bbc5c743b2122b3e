import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { usage } from './failure.ts';
import type { World } from './world.ts';

/** JSON, `@file`, or `-` for standard input. */
export async function readInput(world: World, given: string | undefined): Promise<unknown> {
  if (given === undefined) return undefined;
  const text = given === '-' || given.startsWith('@') ? await readText(world, given.replace(/^@/, '')) : given;
  return parseJson(text, '--input', 'For example: --input \'{"text":"hello"}\', --input @file.json or --input -.');
}

/** A file, or `-` for standard input. */
export const readText = async (world: World, file: string): Promise<string> =>
  file === '-' ? readAll(world) : (await readGiven(world, file)).toString('utf8');

export async function readAll(world: World): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of world.stdin) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

export const readGiven = (world: World, file: string): Promise<Buffer> =>
  readFile(resolve(world.cwd, file)).catch((error: Error) => {
    throw usage(`Cannot read ${file}: ${whyUnreadable(error)}.`, 'Name an existing file, or - for stdin.');
  });

/** The reason alone: the message of the system names the path again. */
export function whyUnreadable({ code = '', message }: NodeJS.ErrnoException): string {
  return UNREADABLE[code] ?? (code === '' ? message : code);
}

const UNREADABLE: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
};

export function parseJson(text: string, what: string, fix: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${what} is not valid JSON: ${(error as Error).message}`, fix);
  }
}

/** `path` or `name=path`. */
export const readFiles = (world: World, given: readonly string[]) =>
  Promise.all(
    given.map(async (text) => {
      const [, name, path] = /^([^=]+)=(.+)$/.exec(text) ?? [text, basename(text), text];
      const bytes = await readGiven(world, path as string);
      return { path: name as string, content_base64: bytes.toString('base64') };
    }),
  );
