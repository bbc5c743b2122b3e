import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { exportHarness } from './export-harness.ts';
import { harnessLine } from './harness-line.ts';
import { type Harness, listVersions, readVersion } from './harnesses.ts';

const MOST_VERSIONS = 1_000;

/** A harness with its directory, as long as that has at most so many characters; and how many it has. */
export async function holdingOf(
  db: Kysely<Schema>,
  harness: Harness,
  most: number,
): Promise<[held: object, length: number]> {
  const line = { ...harnessLine(harness), versions: await listVersions(db, harness, MOST_VERSIONS) };
  const version = await readVersion(db, harness);
  if (version === undefined) return [line, 0];
  let text = '';
  for await (const part of exportHarness(db, harness, version)) {
    text += part;
    if (text.length > most) return [{ ...line, left_out: `GET /api/harnesses/${harness.id}?export=true` }, 0];
  }
  return [{ ...line, ...(JSON.parse(text) as object), digest: harness.digest }, text.length];
}
