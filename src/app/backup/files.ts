import { mkdir, open, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { damaged } from './format.ts';

/**
 * The part of DATA_DIR in a backup: fetched skills and texts of listings, whose source may be gone. Emails written to files were already
 * delivered, and the index is rebuilt.
 */

const BUNDLE = /^[0-9a-f]{64}\.(json|source)$/;
const DIGEST = /^[0-9a-f]{64}$/;
const GROUP = /^[0-9a-f]{2}$/;
const PATH = /^(bundles\/[0-9a-f]{64}\.(json|source)|details\/([0-9a-f]{2})\/\3[0-9a-f]{62})$/;
const PIECE_BYTES = 256 * 1_024;

/** Yields the path of each file below DATA_DIR, and then its chunks. */
export async function* readKeptFiles(data_dir: string): AsyncGenerator<string | Buffer> {
  yield* readFiles(data_dir, 'bundles', BUNDLE);
  for (const group of await namesIn(join(data_dir, 'details'), GROUP))
    yield* readFiles(data_dir, `details/${group}`, DIGEST);
}

async function* readFiles(data_dir: string, dir: string, form: RegExp): AsyncGenerator<string | Buffer> {
  for (const name of await namesIn(join(data_dir, dir), form)) {
    // The service may have evicted it in the meantime; an open file stays complete.
    const file = await open(join(data_dir, dir, name)).catch(() => null);
    if (file === null) continue;
    yield `${dir}/${name}`;
    yield* file.createReadStream({ highWaterMark: PIECE_BYTES });
  }
}

const namesIn = async (dir: string, form: RegExp): Promise<string[]> =>
  (await readdir(dir).catch(() => [] as string[])).filter((name) => form.test(name)).sort();

/** Writes a file under a temporary name and then renames it. */
export async function startFile(data_dir: string, path: string) {
  if (!PATH.test(path)) throw damaged(`it contains a file ${JSON.stringify(path)}`);
  const place = join(data_dir, path);
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const draft = `${place}.restore`;
  const file = await open(draft, 'w', 0o600);
  return {
    write: (piece: Uint8Array) => file.write(piece),
    end: async () => {
      await file.close();
      await rename(draft, place);
    },
  };
}
