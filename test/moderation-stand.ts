import { nextSeq } from '#catalog/changes/changes.ts';
import { nextCapabilitySeq } from '#catalog/identity/capabilities.ts';
import type { Listing } from '#catalog/items/item.ts';
import { saveListings } from '#catalog/items/items.ts';
import { isoTime } from '#core/clock/clock.ts';
import { newId } from '#core/ids.ts';
import type { TestDatabase } from './databases.ts';
import type { SkillHosts } from './fakes/skill-hosts.ts';
import { listing } from './listings.ts';
import { type Answer, type Person, publishingStand } from './publishing-stand.ts';

/** The marketplace with things that providers list, their repositories on loopback, and people who decide. */
export async function moderationStand(database: TestDatabase, hosts?: SkillHosts) {
  const raw = hosts === undefined ? {} : { github_raw_url: `${hosts.url}/gh`, gitlab_url: `${hosts.url}/gl` };
  const stand = publishingStand(database, raw);
  const { db, clock, ask } = stand;
  const sync = (listing: Listing, run = newId()) =>
    db.transaction().execute(async (trx) => {
      const now = isoTime(clock.now());
      return saveListings(trx, listing.provider_id, [listing], { run, now, seq: () => nextSeq(trx) });
    });
  /** Answers the capability's id; merged into `stands_id` where that is given. */
  const listed = async (
    provider: Listing['provider_id'],
    externalId: string,
    more: Partial<Listing> = {},
    standsId?: string,
  ): Promise<string> => {
    await sync(listing(provider, externalId, more));
    return capability(provider, externalId, newId(), standsId);
  };
  const capability = async (provider_id: string, external_id: string, id: string, stands_id = id): Promise<string> => {
    const at = isoTime(clock.now());
    await db.transaction().execute(async (trx) => {
      const row = { id, provider_id, external_id, listing_type: 'skill', is_live: 1, stands_id, evidence: '' };
      await trx
        .insertInto('capabilities')
        .values({ ...row, confidence: 0, seq: await nextCapabilitySeq(trx), created_at: at, updated_at: at })
        .execute();
    });
    return id;
  };
  const operator = await stand.newPerson(true);
  const moderation = async (id: string) => (await ask(null, 'moderation.get', { params: { id } })).body;
  /** On what stands, unless the order says otherwise. */
  const decide = async (id: string, order: object, as: Person = operator): Promise<Answer> => {
    const { revision } = await moderation(id);
    return ask(as, 'moderation.decide', { params: { id }, body: { reason: 'Looked at.', revision, ...order } });
  };
  /** Puts the file into a repository, as its claims say. */
  const prove = (path: string, file: unknown) =>
    void hosts?.answers.set(path, file === null ? 404 : new TextEncoder().encode(JSON.stringify(file)));
  const claim = (as: Person, id: string, body: object = {}) =>
    ask(as, 'claims.create', { params: { id }, body: { method: 'repository_file', ...body } });
  const verify = (as: Person, id: string, claim_id: string, body: object = {}) =>
    ask(as, 'claims.verify', { params: { id, claim_id }, body });
  /** Made, proved and verified; answers the claim's id. */
  const owned = async (as: Person, id: string, path: string, publisher: string): Promise<string> => {
    const made = await claim(as, id, { publisher });
    prove(path, JSON.parse(made.body.file.content));
    const verified = await verify(as, id, made.body.id);
    if (verified.status !== 200) throw new Error(JSON.stringify(verified.body));
    return made.body.id;
  };
  return { ...stand, sync, listed, capability, operator, moderation, decide, prove, claim, verify, owned };
}

export async function noFence(): Promise<void> {}
export const AT_GITHUB = { repository: 'https://github.com/Ana/words' };
export const PROOF_PATH = '/gh/ana/words/HEAD/.well-known/capstan.json';
