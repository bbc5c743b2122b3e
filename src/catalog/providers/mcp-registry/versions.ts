import { MAX_VERSIONS } from '#catalog/items/facts.ts';
import { time } from '#catalog/sync/adapt-fields.ts';
import { member, mismatch } from '#catalog/sync/adapt-record.ts';
import { officialMeta } from './adapt.ts';
import { ServerRecord } from './wire.ts';

/** All versions of one server, newest first. Invalid records, and those of other servers, are left out. Pure. */

/** In characters of JSON. */
const MAX_EARLIER_CHARS = 262_144;

function recordsOf(name: string, raw: readonly unknown[]): ServerRecord[] {
  const valid = raw.filter((record): record is ServerRecord => mismatch(ServerRecord, record) === null);
  return valid
    .filter(({ server }) => server.name === name)
    .sort((a, b) => (publishedAt(a) < publishedAt(b) ? 1 : -1))
    .slice(0, MAX_VERSIONS);
}

const publishedAt = (record: unknown): string => time(member(officialMeta(record), 'publishedAt')) ?? '';

export const versionsOf = (name: string, raw: readonly unknown[]) =>
  recordsOf(name, raw).map((record) => ({
    version: record.server.version,
    published_at: member(officialMeta(record), 'publishedAt'),
    status: {
      status: member(officialMeta(record), 'status'),
      message: member(officialMeta(record), 'statusMessage'),
      changed_at: member(officialMeta(record), 'statusChangedAt'),
    },
  }));

/** The records of earlier versions as JSON, as many as fit; '' if there are none. */
export function earlierRecords(name: string, raw: readonly unknown[]): string {
  const kept: string[] = [];
  let chars = 2;
  for (const record of recordsOf(name, raw)) {
    if (member(officialMeta(record), 'isLatest') === true) continue;
    const json = JSON.stringify(record);
    chars += json.length + 1;
    if (chars > MAX_EARLIER_CHARS) break;
    kept.push(json);
  }
  return kept.length === 0 ? '' : `[${kept.join(',')}]`;
}
