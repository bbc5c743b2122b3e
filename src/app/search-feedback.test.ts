import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchFeedback } from '#catalog/search/feedback/feedback.ts';
import { NO_FILTERS } from '#catalog/search/query/filter.ts';
import type { Input } from '#core/http/operation.ts';
import { OPERATIONS } from './contract.ts';
import { OBSERVED, withFeedback } from './search-feedback.ts';

function recorder() {
  const noted: unknown[] = [];
  const feedback: SearchFeedback = {
    searched: (voice, search) => void noted.push([voice, search]),
    chose: (voice, ref, kind) => void noted.push([voice, ref, kind]),
    flush: async () => {},
    close: async () => {},
  };
  return { noted, feedback };
}

/** What feedback hears of a request to an operation that is answered with a status. */
async function heard(id: string, request: object, status = 200): Promise<unknown[]> {
  const { noted, feedback } = recorder();
  const operation = OPERATIONS.find((one) => one.id === id);
  assert.ok(operation, id);
  const reply = { status, media_type: 'application/json', body: '{}' };
  const [bound] = withFeedback([{ operation, handler: async () => reply }], feedback);
  const input = { params: {}, query: {}, body: {}, headers: {}, caller: null, address: '192.0.2.1', ...request };
  assert.equal(await bound?.handler(input as unknown as Input), reply);
  return noted;
}

const VOICE = { user_id: null, address: '192.0.2.1' };

test('every observed operation exists', () => {
  const ids = new Set(OPERATIONS.map(({ id }) => id));
  assert.deepEqual(
    OBSERVED.operations.filter((id) => !ids.has(id)),
    [],
  );
});

test('a search is noted with its filters, and a choice with the name that was used', async () => {
  const body = { query: 'tides', filters: { listing_type: 'skill', provider: 'glama', tag: 'Séa' }, limit: 3 };
  const filters = { ...NO_FILTERS, listing_type: 'skill', provider: ['glama'], tag: 'sea' };
  assert.deepEqual(await heard('marketplace.listings.search', { body }), [[VOICE, { text: 'tides', filters }]]);
  assert.deepEqual(await heard('marketplace.listings.search', { body: { ...body, copies_of: 'x' } }), []);
  const params = { provider: 'glama', id: 'a/b' };
  assert.deepEqual(await heard('catalog.items.get', { params }), [[VOICE, 'glama/a/b', 'opened']]);
  const caller = { user_id: 'ann' };
  assert.deepEqual(await heard('runtime.tasks.create', { caller, body: { capability: { ref: 'skill/x' } } }, 201), [
    [{ ...VOICE, user_id: 'ann' }, 'skill/x', 'run'],
  ]);
  assert.deepEqual(await heard('connections.connections.create', { caller, body: { url: 'https://a.example' } }), []);
});

test('what the command line reads in order to install it counts as installed', async () => {
  const params = { provider: 'glama', id: 'a/b' };
  const by = (agent: string) => heard('catalog.items.get', { params, headers: { 'user-agent': agent } });
  assert.deepEqual(await by('capstan-cli/1.2.3 (install)'), [[VOICE, 'glama/a/b', 'installed']]);
  assert.deepEqual(await by('capstan-cli/1.2.3'), [[VOICE, 'glama/a/b', 'opened']]);
});

test('a redirect is not counted, nor is a request that fails', async () => {
  assert.deepEqual(await heard('marketplace.listings.get', { params: { id: 'x' } }, 308), []);
});
