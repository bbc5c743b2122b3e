import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connectionOver } from '#core/db/connection-over.ts';
import { eachDatabase } from '#test/databases.ts';
import { startSkillHosts } from '#test/fakes/skill-hosts.ts';
import { listing } from '#test/listings.ts';
import { AT_GITHUB, moderationStand, noFence, PROOF_PATH } from '#test/moderation-stand.ts';
import { claimedBy } from './claimed-by.ts';
import { publishersOf, publisherUserIds } from './publishers-of.ts';
import { recheckDue } from './recheck.ts';

const hosts = await startSkillHosts();
after(() => hosts.close());
const DAY_MS = 86_400_000;

eachDatabase('POST /api/marketplace/listings/{id}/claims/{claim_id}/verify', (open) => {
  test('200: sets the publisher while the file confirms the claim; a claim lapses after a week without it', async () => {
    const stand = await moderationStand(await open(), hosts);
    const { db, deps, clock } = stand;
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.listed('glama', 'a/words', AT_GITHUB);
    const { body: made } = await stand.claim(ana, id, { publisher: 'ana-lang' });
    stand.prove(PROOF_PATH, null);
    assert.equal((await stand.verify(ana, id, made.id)).body.code, 'marketplace.claim_invalid');
    stand.prove(PROOF_PATH, { claims: [{ capability: id, publisher: 'eve', token: 'x' }, 7], wallets: 'no' });
    assert.equal((await stand.verify(ana, id, made.id)).body.code, 'marketplace.claim_invalid');
    hosts.answers.set(PROOF_PATH, 500);
    const down = await stand.verify(ana, id, made.id);
    assert.deepEqual([down.status, down.body.code, down.body.reason], [502, 'outbound.failed', 'unreachable']);
    stand.prove(PROOF_PATH, JSON.parse(made.file.content));
    assert.equal((await stand.verify(bob, id, made.id)).body.code, 'marketplace.not_found');
    const done = await stand.verify(ana, id, made.id);
    assert.deepEqual([done.status, done.body.status, done.body.publisher.name], [200, 'verified', 'ana-lang']);
    const connection = connectionOver(db, deps.engine);
    assert.equal((await publishersOf(connection, [id])).get(id)?.by, 'repository_file');
    assert.deepEqual((await publisherUserIds(connection, [id])).get(id), new Set([ana.id]));
    const recheck = async (days: number) => {
      clock.ms += days * DAY_MS;
      await recheckDue(deps, noFence, new AbortController().signal);
      const [claim] = (await stand.ask(ana, 'claims.list', { params: { id } })).body.items;
      return [claim.status, claim.failing_since !== null];
    };
    assert.deepEqual(await recheck(2), ['verified', false]);
    hosts.answers.set(PROOF_PATH, 503);
    assert.deepEqual(await recheck(30), ['verified', false], 'an unreachable host does not affect it');
    stand.prove(PROOF_PATH, null);
    assert.deepEqual(await recheck(2), ['verified', true]);
    assert.deepEqual(await recheck(6), ['verified', true]);
    assert.deepEqual(await recheck(2), ['lapsed', true]);
    assert.equal((await publishersOf(connection, [id])).size, 0);
    const { history } = await stand.moderation(id);
    assert.deepEqual(
      history.map((entry: { change: string; by: string }) => `${entry.change} ${entry.by}`),
      ['claimed owner', 'claim_lapsed automatic'],
    );
  });

  test('a claimed capability that is merged with another account’s listing has no publisher', async () => {
    const stand = await moderationStand(await open(), hosts);
    const eve = await stand.newPerson();
    const evil = { repository: 'https://github.com/eve/words' };
    const id = await stand.listed('mcp-registry', 'com.eve/words', evil);
    await stand.owned(eve, id, '/gh/eve/words/HEAD/.well-known/capstan.json', 'eve-lang');
    const publisher = async () => (await publishersOf(connectionOver(stand.db, stand.deps.engine), [id])).get(id)?.name;
    assert.equal(await publisher(), 'eve-lang');
    const famous = { ...AT_GITHUB, homepage: '' };
    await stand.listed('glama', 'ana/words', famous, id);
    assert.equal(await publisher(), undefined, 'the repositories belong to two accounts');
    const { publisher_id } = await stand.db
      .selectFrom('capability_claims')
      .select('publisher_id')
      .executeTakeFirstOrThrow();
    assert.deepEqual(await claimedBy(stand.db, stand.deps.engine, publisher_id), []);
    await stand.sync(listing('glama', 'ana/words', evil));
    assert.equal(await publisher(), 'eve-lang');
    await stand.sync(listing('mcp-registry', 'com.eve/words', famous));
    await stand.sync(listing('glama', 'ana/words', famous));
    assert.equal(await publisher(), undefined, 'the file is not in the current repository');
  });

  test('409: the repository still names another owner; 200: replaces that claim once it does not', async () => {
    const stand = await moderationStand(await open(), hosts);
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.listed('glama', 'a/words', AT_GITHUB);
    const first = await stand.owned(ana, id, PROOF_PATH, 'ana-lang');
    const {
      claims: [standing],
    } = JSON.parse(Buffer.from(hosts.answers.get(PROOF_PATH) as Uint8Array).toString());
    const { body: made } = await stand.claim(bob, id, { publisher: 'bob-lang' });
    const [entry] = JSON.parse(made.file.content).claims;
    stand.prove(PROOF_PATH, { claims: [standing, entry] });
    assert.equal((await stand.verify(bob, id, made.id)).body.code, 'marketplace.claim_conflict');
    stand.prove(PROOF_PATH, { claims: [entry] });
    assert.equal((await stand.verify(bob, id, made.id)).status, 200);
    const { items } = (await stand.ask(null, 'claims.list', { params: { id } })).body;
    assert.deepEqual(
      items.map((item: { publisher: { name: string } }) => item.publisher.name),
      ['bob-lang'],
    );
    assert.equal((await stand.verify(ana, id, first)).body.code, 'marketplace.claim_conflict');
  });

  test('by wallet: 422 unless the file names the wallet and the claim has its signature', async () => {
    const stand = await moderationStand(await open(), hosts);
    const [ana, eve] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.listed('glama', 'a/words', AT_GITHUB);
    const { body: made } = await stand.claim(ana, id, { publisher: 'ana-lang', method: 'wallet' });
    const { wallet_type, address: wallet_address } = ana.wallet;
    const signed = { wallet_type, wallet_address, signature: await ana.wallet.sign(made.claim_text) };
    stand.prove(PROOF_PATH, { wallets: [`ethereum:${eve.wallet.address}`] });
    assert.equal((await stand.verify(ana, id, made.id)).body.code, 'marketplace.claim_invalid');
    assert.equal((await stand.verify(ana, id, made.id, { signed })).body.code, 'marketplace.claim_invalid');
    const other = { ...signed, signature: await eve.wallet.sign(made.claim_text) };
    assert.equal((await stand.verify(ana, id, made.id, { signed: other })).body.code, 'marketplace.claim_invalid');
    stand.prove(PROOF_PATH, { wallets: [`ethereum:${wallet_address}`] });
    assert.equal((await stand.verify(ana, id, made.id, { signed })).body.status, 'verified');
  });

  test('422: the claimed folder contains another skill', async () => {
    const stand = await moderationStand(await open(), hosts);
    const ana = await stand.newPerson();
    const of = { repository: 'https://github.com/ana/many' };
    const id = await stand.listed('skills-sh', 'ana/many/words', of);
    await stand.listed('skills-sh', 'ana/many/other', of);
    const { body: made } = await stand.claim(ana, id, { publisher: 'ana-lang', folder: 'skills/words' });
    const folder = '/gh/ana/many/HEAD/skills/words';
    stand.prove(`${folder}/.well-known/capstan.json`, JSON.parse(made.file.content));
    hosts.answers.set(`${folder}/SKILL.md`, new TextEncoder().encode('---\nname: other\n---\n'));
    assert.equal((await stand.verify(ana, id, made.id)).body.code, 'marketplace.claim_invalid');
    hosts.answers.set(`${folder}/SKILL.md`, new TextEncoder().encode('---\nname: words\n---\n'));
    assert.equal((await stand.verify(ana, id, made.id)).status, 200);
  });
});
