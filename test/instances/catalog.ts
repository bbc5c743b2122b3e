import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changeUser } from '#accounts/users/users.ts';
import fixture from '#catalog/providers/glama/fixture.json' with { type: 'json' };
import { exampleItem } from '../example-items.ts';
import { freshDir } from '../process/capstand.ts';
import { skillFiles } from '../publishing-stand.ts';
import type { Check } from './check.ts';
import { type Ask, newAddress, type Person, type Stand, until } from './stand.ts';

/** A change of the catalog, made anywhere, is seen at every instance soon. */

const MOST_MS = 2_000;
const ROUNDS = 5;

/** Where a listing shows: what looks for a word, and whether it was found. */
type Look = (ask: Ask, word: string) => Promise<boolean>;

const registry: Look = async (ask, word) =>
  (await ask('GET', `/api/marketplace/registry?search=${word}`)).body.total_count > 0;
const search: Look = async (ask, word) =>
  (await ask('POST', '/api/marketplace/search', { body: { query: word } })).body.total_count > 0;
const list: Look = async (ask, word) =>
  (await ask('GET', `/api/marketplace/listings?search=${word}`)).body.total_count > 0;
const tool: Look = async (ask, word) => {
  const params = { name: 'registry_search', arguments: { query: word } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { body: answer } = await ask('POST', '/mcp/jsonrpc', { body, from: newAddress() });
  return JSON.stringify(answer.result.structuredContent.items).includes(word);
};

export const catalogChecks = (): Check[] => [
  { name: 'a sync is seen everywhere', run: (stand) => rounds(stand, syncOne, { registry, search, list, tool }) },
  { name: 'an import is seen everywhere', run: (stand) => rounds(stand, importOne, { registry, search, list, tool }) },
  { name: 'a publication and its takedown are seen everywhere', run: publishAndTakeDown },
];

type Change = (stand: Stand, word: string) => Promise<{ standing: () => Promise<boolean>; done: Promise<unknown> }>;

/** From the moment at which the listing stands in the database. */
async function rounds(stand: Stand, change: Change, looks: Record<string, Look>): Promise<string> {
  // What is loaded with the first question is loaded.
  await everywhere(stand, newWord(stand), false, looks, newWorst());
  const worst = newWorst();
  for (let round = 0; round < ROUNDS; round++) {
    const word = newWord(stand);
    const { standing, done } = await change(stand, word);
    await Promise.all([
      done,
      until(`${word} is stored`, standing).then(() => everywhere(stand, word, true, looks, worst)),
    ]);
  }
  return told(worst);
}

const isStored =
  ({ cluster: { database } }: Stand, word: string) =>
  async () =>
    (await database.db.selectFrom('listings').select('name').where('name', '=', word).execute()).length > 0;

const syncOne: Change = async (stand, word) => {
  const record = { ...(fixture.servers[0] as object), id: word, name: word, namespace: word, slug: word };
  stand.listed.set([...stand.listed.servers, record]);
  return { standing: isStored(stand, word), done: stand.cluster.operate(['sync', 'glama']) };
};

const importOne: Change = async (stand, word) => {
  const file = join(await freshDir(), 'listings.ndjson');
  const item = exampleItem(1, { name: word, external_id: `ana/${word}` });
  await writeFile(file, `${JSON.stringify(item)}\n`);
  return { standing: isStored(stand, word), done: stand.cluster.operate(['import', file]) };
};

async function publishAndTakeDown(stand: Stand): Promise<string> {
  const [author, operator] = [await stand.newPerson(), await stand.newPerson()];
  const publisher = `${newWord(stand)}-author`;
  const now = new Date().toISOString();
  await changeUser(stand.cluster.database.db, operator.id, { is_operator: 1 }, now);
  const [shown, gone, back] = [newWorst(), newWorst(), newWorst()];
  for (let round = 0; round < ROUNDS; round++) {
    const word = newWord(stand);
    const id = await published(author, `${publisher}/${word}`, word);
    const detail: Look = async (ask) => (await ask('GET', `/api/marketplace/listings/${id}`)).status === 200;
    const looks = { search, list, tool, detail };
    await everywhere(stand, word, true, looks, shown);
    await until(
      'it is joined',
      async () => (await author.ask('GET', `/api/marketplace/listings/${id}/moderation`)).status === 200,
    );
    const [measure] = (await decided(operator, id, { decision: 'takedown', kind: 'malware' })).measures;
    await everywhere(stand, word, false, looks, gone);
    await decided(operator, id, { decision: 'lift', measure_id: measure?.id });
    await everywhere(stand, word, true, looks, back);
  }
  return `shown: ${told(shown)}; taken down: ${told(gone)}; let back: ${told(back)}`;
}

async function published(author: Person, name: string, word: string): Promise<string> {
  const order = { name, version: '1.0.0', license: 'MIT', files: skillFiles(word) };
  const { status, body, text } = await author.ask('POST', '/api/marketplace/listings', { body: order });
  assert.equal(status, 201, text);
  return body.id;
}

async function decided(operator: Person, id: string, decision: object) {
  const path = `/api/marketplace/listings/${id}`;
  const { revision } = (await operator.ask('GET', `${path}/moderation`)).body;
  const body = { reason: 'Looked at.', revision, ...decision };
  const { status, body: made, text } = await operator.ask('POST', `${path}/decisions`, { body });
  assert.equal(status, 201, text);
  return made.moderation;
}

type Worst = Map<string, number>;

const newWorst = (): Worst => new Map();

function told(worst: Worst): string {
  const text = [...worst].map(([look, ms]) => `${look} ${Math.round(ms)} ms`).join(', ');
  assert.ok(Math.max(...worst.values()) <= MOST_MS, `later than ${MOST_MS} ms: ${text}`);
  return text;
}

/** Notes for each look how long the last instance took. */
async function everywhere(stand: Stand, word: string, wanted: boolean, looks: Record<string, Look>, worst: Worst) {
  for (const [name, ms] of await Promise.all(
    Object.entries(looks).flatMap(([look, isFound]) =>
      stand.cluster.serving.map(async ({ url }): Promise<[string, number]> => {
        const ask = stand.at(url);
        const what = `${look} at ${url} ${wanted ? 'finds' : 'no more finds'} ${word}`;
        return [look, await until(what, async () => (await isFound(ask, word)) === wanted, 10_000)];
      }),
    ),
  ))
    worst.set(name, Math.max(worst.get(name) ?? 0, ms));
}

/** That nothing else has. */
const newWord = ({ random }: Stand): string =>
  `z${Array.from({ length: 9 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')}`;
