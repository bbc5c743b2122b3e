import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { usage } from './failure.ts';
import type { World } from './world.ts';

/** JSON as it stands, `@file`, or `-` for what is piped in. */
export async function readInput(world: World, given: string | undefined): Promise<unknown> {
  if (given === undefined) return undefined;
  const text =
    given === '-' ? await readAll(world) : given.startsWith('@') ? await readOf(world, given.slice(1)) : given;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(
      `--input is no JSON: ${(error as Error).message}`,
      `Such as --input '{"text":"hello"}', --input @file.json or --input -.`,
    );
  }
}

export async function readAll(world: World): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of world.stdin) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

const readOf = (world: World, file: string): Promise<string> =>
  readFile(resolve(world.cwd, file), 'utf8').catch((error: Error) => {
    throw usage(`${file} cannot be read: ${error.message}`);
  });

/** `path` or `name=path`. */
export async function readFiles(world: World, given: readonly string[]) {
  return Promise.all(
    given.map(async (it) => {
      const [, name, path] = /^([^=]+)=(.+)$/.exec(it) ?? [it, basename(it), it];
      const bytes = await readFile(resolve(world.cwd, path as string)).catch((error: Error) => {
        throw usage(`${path} cannot be read: ${error.message}`);
      });
      return { path: name as string, content_base64: bytes.toString('base64') };
    }),
  );
}
