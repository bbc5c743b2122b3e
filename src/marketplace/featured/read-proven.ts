import type { Kysely } from 'kysely';
import { fold } from '#catalog/changes/fold.ts';
import { membersOf } from '#catalog/identity/capabilities.ts';
import { mergeMembers } from '#catalog/identity/survivorship.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import { publishersOf } from '#marketplace/claims/publishers-of.ts';
import { documentOf } from '#marketplace/documents/document.ts';
import { readFacts } from '#marketplace/documents/read-documents.ts';
import { hottest, type Score } from '#marketplace/proof/scores.ts';
import type { Proven } from './pick-proven.ts';

const MOST = 200;

/** Current, unflagged capabilities with a score from independent runs here. */
export async function readProven(
  connection: Pick<Connection, 'query'>,
  db: Kysely<Schema>,
  now_ms: number,
): Promise<Proven[]> {
  const now = isoTime(now_ms);
  const scores = (await hottest(db, MOST)).filter((score) => isProven(score, now));
  const ids = scores.map(({ id }) => id);
  const members = Map.groupBy(await membersOf(connection, ids), (member) => member.stands_id);
  const [factsOf, publishers] = [await readFacts(connection, ids), await publishersOf(connection, ids)];
  return scores.flatMap((score): Proven[] => {
    const listings = members.get(score.id);
    if (listings === undefined || factsOf(score.id).standing.takedown !== null) return [];
    if (documentOf(score.id, listings, factsOf(score.id)).wire.flagged) return [];
    const { listing_type, author } = mergeMembers(listings);
    const maker = publishers.get(score.id)?.id ?? (author === '' ? score.id : `author ${fold(author)}`);
    const { id, level, hot_score } = score;
    return [{ id, listing_type, maker, level, hot_score, reason: reasonOf(score) }];
  });
}

const isProven = ({ level, expires_at }: Score, now: string): boolean =>
  (level === 'ran' || level === 'reproduced' || level === 'used') && (expires_at === null || expires_at > now);

function reasonOf({ level, runs, callers, success_rate }: Score): string {
  const well = `${Math.round(success_rate * 100)} % of them succeeded`;
  const counted = `${runs} ${runs === 1 ? 'run' : 'runs'} here in seven days, ${well}`;
  if (level === 'used') return `Used by ${callers} independent accounts: ${counted}.`;
  if (level === 'reproduced') return `Two runs on our own test inputs produced identical output: ${counted}.`;
  return `Run here by ${callers} accounts that are independent of each other, with receipts: ${counted}.`;
}
