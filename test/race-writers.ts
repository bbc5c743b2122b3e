import { Problem } from '#core/problem/problem.ts';
import { findHarness } from '#runtime/harnesses/harnesses.ts';
import type { HarnessesDeps, HarnessRef } from '#runtime/harnesses/usage.ts';
import { writeMemories } from '#runtime/memory/change-memories.ts';
import { findRow, listHistory, readMemoryVersion } from '#runtime/memory/memories.ts';
import { placeOf } from '#runtime/memory/memory-path.ts';
import { readMemory } from '#runtime/memory/read-memory.ts';

const PATH = 'raced.md';

/** Writers at one path that all read the same before they write. What there is afterwards says whether any was lost. */
export async function raceWriters(
  deps: HarnessesDeps,
  ref: HarnessRef,
  { rounds, writers }: { rounds: number; writers: number },
) {
  const winners: number[] = [];
  let [standing, last]: [string | null, string] = [null, ''];
  const seen = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const write = async (writer: number) => {
      const content = `round ${round}, writer ${writer}`;
      const [changed] = await writeMemories(deps, ref, [{ path: PATH, content, if_sha256: standing }]);
      return { content, sha256: changed?.sha256 as string };
    };
    const ended = await Promise.allSettled(Array.from({ length: writers }, (_, at) => write(at)));
    const won = ended.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    for (const outcome of ended)
      if (
        outcome.status === 'rejected' &&
        !(outcome.reason instanceof Problem && outcome.reason.code === 'harnesses.conflict')
      )
        throw outcome.reason;
    winners.push(won.length);
    standing = won[0]?.sha256 ?? standing;
    last = won[0]?.content ?? last;
    seen.add(last);
  }
  const harness = await findHarness(deps.db, ref);
  const row = harness && (await findRow(deps.db, harness.number, PATH, placeOf(PATH)));
  if (harness === undefined || row === undefined) throw new Error('nothing was written');
  const { total_count } = await listHistory(deps.db, row, { limit: 1, offset: 0 });
  const kept = new Set<string | null>();
  for (let version = 1; version <= total_count; version++)
    kept.add((await readMemoryVersion(deps.db, row, version))?.content ?? null);
  const newest = await readMemory(deps.db, harness.number, PATH);
  return {
    winners,
    versions: total_count,
    contents: [...seen].filter((text) => kept.has(text)).length,
    newest_is_last_winner: newest.content === last,
  };
}
