import { membersOf } from '#catalog/identity/capabilities.ts';
import type { Connection } from '#core/db/connection.ts';
import { documentOf } from './document.ts';
import { readFacts } from './read-documents.ts';

/** Which of these capabilities are flagged or taken down: by operators, by the checks, or by a provider that lists them. */
export async function flaggedAmong(
  connection: Pick<Connection, 'query'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const factsOf = await readFacts(connection, ids);
  const members = Map.groupBy(await membersOf(connection, ids), (member) => member.stands_id);
  return new Set(
    ids.filter((id) => {
      const facts = factsOf(id);
      const its = members.get(id);
      if (facts.standing.takedown !== null || facts.standing.flags.length > 0) return true;
      return its !== undefined && documentOf(id, its, facts).wire.flagged;
    }),
  );
}
