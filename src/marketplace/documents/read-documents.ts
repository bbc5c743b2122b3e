import {
  type ChangedCapability,
  type Member,
  memberRowOf,
  membersOf,
  publishedOf,
} from '#catalog/identity/capabilities.ts';
import { contentsOf } from '#catalog/identity/contents.ts';
import type { DocumentChange, DocumentSource } from '#catalog/search/build/document-source.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { Connection } from '#core/db/connection.ts';
import { publishersOf } from '#marketplace/claims/publishers-of.ts';
import { featuredOf } from '#marketplace/featured/featured-of.ts';
import { overrulesOf } from '#marketplace/moderation/overrules.ts';
import { NOTHING_AGAINST, standingOf } from '#marketplace/moderation/standing-of.ts';
import { shownScoresOf } from '#marketplace/proof/shown-scores.ts';
import { type BuiltInSkill, builtInMember } from './built-in-skills.ts';
import { documentOf, type MarketplaceFacts } from './document.ts';
import { publishedContents } from './published-contents.ts';
import { skillDigestsOf } from './skill-digests.ts';

/** Reads the documents of the marketplace's index, in plain SQL because its thread has no query builder. */

type Db = Pick<Connection, 'query'>;

/** What the marketplace's index is built from. */
export const documentSource = (
  skills: readonly BuiltInSkill[],
  { blobs = null, has_model = false }: Partial<Reading> = {},
): DocumentSource => ({
  newest: readNewest,
  documents: (db, capabilities) => readDocuments(db, capabilities, { blobs, has_model }),
  published: (db, since, until) => readPublished(db, { blobs, has_model }, since, until),
  builtIn: (db) => readBuiltIn(db, skills, { blobs, has_model }),
});

interface Reading {
  blobs: BlobStore | null;
  /** Whether this service has a language model. */
  has_model: boolean;
}

/** Their instructions are in no table. */
async function readBuiltIn(db: Db, skills: readonly BuiltInSkill[], reading: Reading): Promise<DocumentChange[]> {
  const members = skills.map(builtInMember);
  const changes = await readDocuments(
    db,
    members.map((member) => ({ id: member.id, members: [member] })),
    reading,
  );
  return changes.map(({ id, document }, at) => {
    if (document === null) return { id, document };
    const { searched } = document;
    const contents = [...searched.contents, ...(skills[at]?.texts ?? [])];
    return { id, document: { ...document, searched: { ...searched, contents } } };
  });
}

async function readDocuments(
  db: Db,
  capabilities: readonly Pick<ChangedCapability, 'id' | 'members'>[],
  { blobs, has_model }: Reading,
): Promise<DocumentChange[]> {
  const ids = capabilities.filter(({ members }) => members.length > 0).map(({ id }) => id);
  const factsOf = await readFacts(db, ids, has_model);
  const contents = await contentsOf(db, ids, blobs);
  const own = await publishedContents(
    db,
    capabilities.flatMap(({ members }) => members),
  );
  const digests = await skillDigestsOf(db, ids);
  return capabilities.map(({ id, members }) => {
    const facts = factsOf(id);
    if (members.length === 0 || facts.standing.takedown !== null) return { id, document: null };
    const { tools = [], titles = [], texts = [] } = contents.get(id) ?? {};
    const published = members.flatMap((member) => own.get(member.id) ?? []);
    const document = documentOf(id, members, facts, { tools, titles, texts: [...texts, ...published] });
    return { id, document: { ...document, digests: digests.get(id) ?? [] } };
  });
}

/** What the marketplace knows about capabilities, by id. */
export async function readFacts(
  db: Db,
  ids: readonly string[],
  has_model = false,
): Promise<(id: string) => MarketplaceFacts> {
  const scores = await shownScoresOf(db, ids);
  const standing = await standingOf(db, ids);
  const featured = await featuredOf(db, ids);
  const publishers = await publishersOf(db, ids);
  const overrules = await overrulesOf(db, ids);
  return (id) => ({
    score: scores.get(id) ?? null,
    standing: standing.get(id) ?? NOTHING_AGAINST,
    featured: featured.get(id) ?? null,
    publisher: publishers.get(id) ?? null,
    overrules,
    has_model,
  });
}

/** Capabilities of listings that were published or withdrawn after a change, linked or not. */
async function readPublished(
  db: Db,
  reading: Reading,
  since: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<DocumentChange[]> {
  const changed = await db.query<{ id: string; stands_id: string | null }>(
    `SELECT p.id, c.stands_id FROM published_listings p
     LEFT JOIN capabilities c ON c.id = p.id AND c.is_live = 1 WHERE p.seq > ? AND p.seq <= ?`,
    [since, until],
  );
  const linked = [...new Set(changed.flatMap(({ stands_id }) => stands_id ?? []))];
  const members = Map.groupBy(await membersOf(db, linked), (member) => member.stands_id);
  const alone = changed.filter(({ stands_id }) => stands_id === null).map(({ id }) => id);
  const own = await publishedOf(db, alone);
  const changes = [
    ...linked.map((id) => ({ id, members: members.get(id) ?? [] })),
    ...alone.map((id) => ({ id, members: memberAlone(id, own.get(id)) })),
  ];
  return readDocuments(db, changes, reading);
}

function memberAlone(id: string, published: Member['published'] | undefined): Member[] {
  const row = published == null ? null : memberRowOf(published);
  return row === null || published == null
    ? []
    : [{ ...row, id, stands_id: id, published, tools: null, probe_reason: null }];
}

/** Numbers of the newest change of capabilities and of published listings. */
export async function readNewest(db: Db): Promise<{ seq: number; published: number }> {
  const rows = await db.query<{ name: string; value: number }>(
    "SELECT name, value FROM change_counters WHERE name IN ('capabilities', 'published')",
  );
  const value = (name: string): number => rows.find((row) => row.name === name)?.value ?? 0;
  return { seq: value('capabilities'), published: value('published') };
}
