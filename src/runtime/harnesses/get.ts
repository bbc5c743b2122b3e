import { type Handler, json, jsonText } from '#core/http/operation.ts';
import { countMemories } from '#runtime/memory/memories.ts';
import { toGiven } from '#runtime/skills/checks/given-files.ts';
import type { harnessesContract } from './contract.ts';
import { fileList } from './directory.ts';
import { exportHarness } from './export-harness.ts';
import { harnessLine } from './harness-line.ts';
import { findHarness, type Harness, listVersions, readVersion, type WholeVersion } from './harnesses.ts';
import { noSuchHarness, noSuchVersion } from './refusals.ts';
import type { HarnessesDeps } from './usage.ts';

const MOST_VERSIONS = 100;

/** GET /api/harnesses/{id} */
export const getHarness =
  ({ db }: HarnessesDeps): Handler<typeof harnessesContract.get> =>
  async ({ params: { id }, query, caller }) => {
    const harness = await findHarness(db, { user_id: caller.user_id, ref: id });
    if (harness === undefined) throw noSuchHarness();
    const version = await readVersion(db, harness, { version: query.version ?? harness.version });
    if (version === undefined) throw noSuchVersion();
    if (query.export === true) return jsonText(exportHarness(db, harness, version));
    return json(await detailOf(db, harness, version));
  };

async function detailOf(db: HarnessesDeps['db'], harness: Harness, version: WholeVersion) {
  const [versions, memory_count] = await Promise.all([
    listVersions(db, harness, MOST_VERSIONS),
    countMemories(db, harness.number),
  ]);
  const { name, description, digest, note, files } = version;
  const given = new Map(toGiven(files).map((entry) => [entry.path, entry]));
  return {
    ...harnessLine(harness),
    name,
    description,
    digest,
    note,
    version: version.version,
    newest_version: harness.version,
    memory_count,
    files: fileList(files).map((entry) => ({ ...given.get(entry.path), ...entry })),
    versions: versions.map((version) => ({
      version: version.version,
      digest: version.digest,
      note: version.note,
      created_at: version.created_at,
    })),
  };
}
