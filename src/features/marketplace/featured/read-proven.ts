import type { Kysely } from 'kysely';
import { isoTime } from '../../../platform/clock.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import type { Schema } from '../../../platform/db/schema.ts';
import { fold } from '../../registry/fold.ts';
import { publishersOf } from '../claims/publishers-of.ts';
import { membersOf } from '../identity/capabilities.ts';
import { mergeMembers } from '../identity/merged.ts';
import { standingOf } from '../moderation/standing-of.ts';
import { hottest, type Score } from '../proof/scores.ts';
import type { Proven } from './pick-proven.ts';

const MOST = 200;

/** Capabilities that ran here, that still stand, and that nothing stands against. */
export async function readProven(
  connection: Pick<Connection, 'query'>,
  db: Kysely<Schema>,
  now_ms: number,
): Promise<Proven[]> {
  const now = isoTime(now_ms);
  const scores = (await hottest(db, MOST)).filter((it) => isProven(it, now));
  const ids = scores.map(({ id }) => id);
  const members = Map.groupBy(await membersOf(connection, ids), (it) => it.stands_id);
  const [standing, publishers] = await Promise.all([standingOf(connection, ids), publishersOf(connection, ids)]);
  return scores.flatMap((score): Proven[] => {
    const listings = members.get(score.id);
    if (listings === undefined || standing.has(score.id)) return [];
    const { listing_type, author } = mergeMembers(listings);
    const maker = publishers.get(score.id)?.id ?? (author === '' ? score.id : `author ${fold(author)}`);
    const { id, level, hot_score } = score;
    return [{ id, listing_type, maker, level, hot_score, reason: reasonOf(score) }];
  });
}

const isProven = ({ level, expires_at }: Score, now: string): boolean =>
  (level === 'ran' || level === 'reproduced' || level === 'used') && (expires_at === null || expires_at > now);

const reasonOf = ({ level, runs, callers, success_rate }: Score): string => {
  const well = `${Math.round(success_rate * 100)} % of them came to a good end`;
  const counted = `${runs} ${runs === 1 ? 'run' : 'runs'} here in seven days, ${well}`;
  if (level === 'used') return `Used by ${callers} independent accounts: ${counted}.`;
  if (level === 'reproduced') return `Our own runs gave the same twice: ${counted}.`;
  return `It ran here, with a receipt: ${counted}.`;
};
