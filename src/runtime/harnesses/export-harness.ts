import type { Kysely } from 'kysely';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import { readContext } from '#runtime/context/context.ts';
import { contextFile } from '#runtime/context/context-file.ts';
import { readPage } from '#runtime/memory/memories.ts';
import { toGiven } from '#runtime/skills/checks/given-files.ts';
import { digestOf } from '#runtime/skills/skill.ts';
import { CONTEXT_DIR, MEMORY_DIR } from './directory.ts';
import type { Harness, WholeVersion } from './harnesses.ts';

const PAGE = 200;

/** The whole directory as JSON, `{files, digest}`, streamed, because it may be long. */
export async function* exportHarness(
  db: Kysely<Schema>,
  { number }: Harness,
  version: WholeVersion,
): AsyncGenerator<string> {
  const hashes: { path: string; sha256: string }[] = [];
  const written = (path: string, bytes: Uint8Array | string, json: object): string => {
    hashes.push({ path, sha256: sha256(bytes) });
    return `${hashes.length === 1 ? '' : ',\n'}${JSON.stringify(json)}`;
  };
  const text = (path: string, content: string) => written(path, content, { path, content });
  yield '{"files":[\n';
  for (const [path, bytes] of version.files) {
    const [given] = toGiven(new Map([[path, bytes]]));
    yield written(path, bytes, given as object);
  }
  for (const block of await readContext(db, number)) yield text(`${CONTEXT_DIR}${block.label}.md`, contextFile(block));
  for (let offset = 0; ; offset += PAGE) {
    const page = await readPage(db, number, { limit: PAGE, offset });
    if (page.length > 0) yield page.map(({ path, content }) => text(`${MEMORY_DIR}${path}`, content ?? '')).join('');
    if (page.length < PAGE) break;
  }
  yield `\n],"digest":"${digestOf(hashes)}"}\n`;
}
