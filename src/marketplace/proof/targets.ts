import type { Member } from '#catalog/identity/capabilities.ts';
import { marks, membersOf } from '#catalog/identity/capabilities.ts';
import { remotesOf } from '#catalog/install/remotes.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { shownOf } from '#catalog/items/version.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Connection } from '#core/db/connection.ts';

/** What is scored: current capabilities with their listings, and subjects without a capability. */

type Db = Pick<Connection, 'query'>;

/** A listing of the target. */
export interface TargetMember {
  subject: string;
  /** Whether a run of this version and pin concerns the listing's current content; null if the newest run always does. */
  isCurrent: ((run: { version: string; pin: string }) => boolean) | null;
}

export interface Target {
  /** Id of the current capability, or the subject. */
  id: string;
  members: TargetMember[];
  /** Accounts of its publishers, whose runs do not count. */
  owners: ReadonlySet<string>;
}

export const subjectOf = (provider_id: string, external_id: string): string =>
  provider_id === OWN_SOURCE ? `capability/${external_id}` : `listing/${provider_id}/${external_id}`;

/** Undefined for built-in skills, which have no listing. */
export function keyOfSubject(subject: string): { provider_id: string; external_id: string } | undefined {
  if (subject.startsWith('capability/'))
    return { provider_id: OWN_SOURCE, external_id: subject.slice('capability/'.length) };
  if (!subject.startsWith('listing/')) return undefined;
  const ref = subject.slice('listing/'.length);
  const slash = ref.indexOf('/');
  return { provider_id: ref.slice(0, slash), external_id: ref.slice(slash + 1) };
}

const PAGE = 200;

/** Capability ids contain no slash. */
export const isSubject = (id: string): boolean => id.includes('/');

/** The ids under which these subjects are currently scored. */
export async function idsOfSubjects(db: Db, subjects: readonly string[]): Promise<string[]> {
  const ids = new Set(subjects);
  const byProvider = Map.groupBy(
    subjects.flatMap((subject) => keyOfSubject(subject) ?? []),
    (entry) => entry.provider_id,
  );
  for (const [providerId, keys] of byProvider)
    for (let at = 0; at < keys.length; at += PAGE) {
      const some = keys.slice(at, at + PAGE).map(({ external_id }) => external_id);
      const rows = await db.query<{ external_id: string; stands_id: string }>(
        `SELECT external_id, stands_id FROM capabilities WHERE provider_id = ? AND external_id IN (${marks(some)})`,
        [providerId, ...some],
      );
      for (const row of rows) {
        ids.delete(subjectOf(providerId, row.external_id));
        ids.add(row.stands_id);
      }
    }
  return [...ids];
}

/** Accounts that publish or have claimed capabilities, by capability id. */
export type OwnersOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, Iterable<string>>>;

/** Targets of current ids; removed and merged ids have none. A subject is its only listing. */
export async function targetsOf(db: Db, ids: readonly string[], ownersOf: OwnersOf): Promise<Target[]> {
  // A subject that has become a capability is scored under that one's id.
  const free = new Set(await idsOfSubjects(db, ids.filter(isSubject)));
  const subjects = ids.filter((id) => isSubject(id) && free.has(id));
  const capabilities = ids.filter((id) => !isSubject(id));
  const members = Map.groupBy(await membersOf(db, capabilities), (member) => member.stands_id);
  const claimed = await ownersOf(capabilities);
  const signers = await signersOf(db, [...members.values()].flat());
  return [
    ...subjects.map((id) => ({ id, members: [{ subject: id, isCurrent: null }], owners: new Set<string>() })),
    ...[...members].map(([id, of]) => ({
      id,
      members: of.map(memberOf),
      owners: new Set([...(claimed.get(id) ?? []), ...of.flatMap((member) => signers.get(member.id) ?? [])]),
    })),
  ];
}

interface Signer {
  wallet_type: string;
  wallet_address: string;
}

/** Accounts that now hold a wallet that signed a version, because they are the same person. By member id. */
async function signersOf(db: Db, members: readonly Member[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { id, published } of members)
    for (const { claim } of published?.versions ?? []) {
      if (claim === null) continue;
      const { wallet_type, wallet_address } = JSON.parse(claim) as Signer;
      const rows = await db.query<{ user_id: string }>(
        'SELECT user_id FROM wallets WHERE wallet_type = ? AND address = ?',
        [wallet_type, wallet_address],
      );
      found.set(id, [...(found.get(id) ?? []), ...rows.map(({ user_id }) => user_id)]);
    }
  return found;
}

type MemberFields = 'provider_id' | 'external_id' | 'published' | 'execution_class' | 'install' | 'version';

export function memberOf(member: Pick<Member, MemberFields>): TargetMember {
  const subject = subjectOf(member.provider_id, member.external_id);
  return { subject, isCurrent: currentOf(member) };
}

/** The current content: a server's address, a published listing's files, or the version of a provider's skill. */
function currentOf({
  published,
  execution_class,
  install,
  version,
}: Pick<Member, MemberFields>): NonNullable<TargetMember['isCurrent']> {
  if (published !== null) {
    const digest = shownOf(published.versions)?.digest.replace(/^sha256:/, '');
    return ({ pin }) => pin === digest;
  }
  if (execution_class === 'mcp') {
    const remotes = remotesOf(install === null ? null : JSON.parse(install));
    const addresses = new Set(remotes.map(({ url }) => sha256(url)));
    return ({ pin }) => addresses.has(pin);
  }
  return (run) => run.version === (version || 'unversioned');
}

/** Publishers by subject, for computing the share of a caller. */
export async function publishersOf(db: Db, subjects: readonly string[]): Promise<Map<string, string>> {
  const found = new Map(subjects.map((subject) => [subject, subject.startsWith('skill/') ? OWN_SOURCE : subject]));
  const byProvider = Map.groupBy(
    subjects.flatMap((subject) => keyOfSubject(subject) ?? []),
    (entry) => entry.provider_id,
  );
  for (const [providerId, keys] of byProvider)
    for (let at = 0; at < keys.length; at += PAGE) {
      const ids = keys.slice(at, at + PAGE).map(({ external_id }) => external_id);
      for (const { id, publisher } of await publisherRows(db, providerId, ids))
        if (publisher !== '') found.set(subjectOf(providerId, id), publisherName(providerId, publisher));
    }
  return found;
}

function publisherRows(
  db: Db,
  providerId: string,
  ids: readonly string[],
): Promise<readonly { id: string; publisher: string }[]> {
  return providerId === OWN_SOURCE
    ? db.query(`SELECT id, publisher_id AS publisher FROM published_listings WHERE id IN (${marks(ids)})`, ids)
    : db.query(
        `SELECT external_id AS id, author AS publisher FROM listings WHERE provider_id = ? AND external_id IN (${marks(ids)})`,
        [providerId, ...ids],
      );
}

function publisherName(providerId: string, publisher: string): string {
  return providerId === OWN_SOURCE ? `publisher ${publisher}` : `author ${publisher.toLowerCase()}`;
}
