import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { noSuchMemory, noSuchVersion } from '#runtime/harnesses/refusals.ts';
import { findRow, readMemoryVersion } from './memories.ts';
import type { WholeMemory } from './memory.ts';
import { placeOf, readPath } from './memory-path.ts';

/** The memory at a path, or one version of it. Throws `harnesses.not_found` (`memory`) or `harnesses.not_found` (`version`). */
export async function readMemory(
  db: Kysely<Schema>,
  harness: number,
  path: string,
  version?: number,
): Promise<WholeMemory> {
  const row = await findRow(db, harness, readPath(path), placeOf(path));
  if (row === undefined || (version === undefined && row.sha256 === null)) throw noSuchMemory();
  const memory = await readMemoryVersion(db, row, version ?? row.version);
  if (memory === undefined) throw noSuchVersion();
  return memory;
}
