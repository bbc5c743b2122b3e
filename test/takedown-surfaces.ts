import { itemPath } from '#catalog/items/item-path.ts';
import { listingUri } from '#catalog/items/listing-uri.ts';
import { reverseDomain, serverNames } from '#surfaces/servers/server-names.ts';
import { type Account, WORLD_URL } from './accounts.ts';
import { BROWSER } from './pages-stand.ts';
import { type Place, SERVER, SKILL, type Stand } from './takedown-stand.ts';

/** All endpoints that return listings, one line each. Add a line for each new one. */

export interface Surface {
  name: string;
  /** Status and body. */
  ask(): Promise<string>;
  /** While the things stand. */
  shown: RegExp;
  /** While they are down: how it refuses, or what it leaves of them. Null: it answers, without any of them. */
  down: RegExp | null;
}

/** An id, or words, of what was taken down. */
export const GIVEN = /hidden-thing|zzpayload/;
/** What no tombstone has either. */
export const PAYLOAD = /zzpayload/;
const FOUND = /^20\d .*(?:hidden-thing|zzpayload)/s;
const REGISTRY_GONE = /^410 .*registry\.gone.*It steals keys|^410 .*It steals keys.*registry\.gone/s;
const GONE = /^410 (?=.*marketplace\.gone).*It steals keys/s;
const REFUSED = /^410 (?=.*runs\.gone).*It steals keys/s;
const TOLD = /^200 (?=.*"isError":true).*It steals keys/s;
const PAGE_GONE = /^410 .*It steals keys/s;
/** As the change feed and the MCP registry's form tell mirrors. */
const TOMBSTONE = /^200 .*"taken_down":"malware"/s;

const SEARCH = 'zzstealer';

/** Of what a provider lists; `id` is its capability's. */
export function ofListing(stand: Stand, place: Place, id: string): Surface[] {
  const { get, tool, rpc, page, send } = asking(stand);
  const { provider_id: provider, external_id } = place;
  const path = itemPath(provider, external_id);
  const named = `/v0.1/servers/${encodeURIComponent(serverNames(reverseDomain(WORLD_URL)).nameOf(place))}/versions`;
  const listing = { provider, external_id };
  const order = {
    capability: { kind: 'listing', ref: `${provider}/${external_id}` },
    input: { tool: 'echo', arguments: {} },
  };
  const noServer = /^404 .*Server not found/s;
  return [
    get('registry: item', path, REGISTRY_GONE),
    get('registry: Markdown', `${path}/md`, REGISTRY_GONE),
    get('marketplace: capability', `/api/marketplace/listings/${id}`, GONE),
    get('badge', `/badges/${provider}/${external_id}.svg`, /^404 .*registry\.not_found/s, /^200 <svg/),
    get('v0.1: versions', named, noServer),
    get('v0.1: a version', `${named}/latest`, noServer),
    get('v0.1: a version, gone ones too', `${named}/1.0.0?include_deleted=true`, TOMBSTONE),
    tool('registry_get_listing', listing, TOLD),
    rpc('resource', 'resources/read', { uri: listingUri(provider, external_id) }, /^200 .*"error"/s),
    page('a listing', `/registry/${provider}/${external_id}`, PAGE_GONE),
    page('a capability', `/marketplace/${id}`, PAGE_GONE),
    send('task of a listing', 'POST', '/api/agents/tasks', order, REFUSED, /^201/),
    tool('task_create', order, TOLD),
    send('connection from a listing', 'POST', '/api/sessions/connections', { listing }, REGISTRY_GONE, /^201/),
  ];
}

/** Lists, searches and feeds, which return many listings. */
export function ofAll(stand: Stand): Surface[] {
  const { get, send, tool, rpc, page } = asking(stand);
  const completed = {
    ref: { type: 'ref/resource', uri: 'listing://{provider}/{+external_id}' },
    argument: { name: 'external_id', value: 'io.github.eve' },
    context: { arguments: { provider: SERVER.provider_id } },
  };
  const part = { parts: [{ text: `find ${SEARCH}` }] };
  const message = { message: { messageId: 'm', role: 'ROLE_USER', ...part } };
  return [
    get('registry: list', '/api/marketplace/registry'),
    get('registry: search', `/api/marketplace/registry?search=${SEARCH}`),
    get('registry: skills.md', `/api/marketplace/skills.md?search=${SEARCH}`),
    get('registry: export', '/api/marketplace/registry/export'),
    get('registry: change feed', '/api/marketplace/registry/export?since=0', TOMBSTONE),
    get('marketplace: list', '/api/marketplace/listings'),
    get('marketplace: find', `/api/marketplace/listings?search=${SEARCH}`),
    send('marketplace: search', 'POST', '/api/marketplace/search', { query: SEARCH }, null),
    get('marketplace: featured', '/api/marketplace/featured'),
    get('discovery: hot', '/api/discovery/hot'),
    get('discovery: tools', `/api/discovery/tools?search=${SEARCH}`),
    get('discovery: all', '/api/discovery/all'),
    get('v0.1: servers', '/v0.1/servers'),
    get('v0.1: search', `/v0.1/servers?search=${SEARCH}`),
    get('v0.1: servers, gone ones too', '/v0.1/servers?include_deleted=true', TOMBSTONE),
    get('v0.1: servers, changed ones', '/v0.1/servers?updated_since=2026-01-01T00:00:00Z', TOMBSTONE),
    get('skills find', `/api/search?q=${SEARCH}`),
    get('plugin marketplace', '/marketplace.json'),
    get('sitemap', `/sitemaps/${SERVER.provider_id}-1.xml`),
    get('feed of what is new', '/feeds/new.json'),
    get('feed of changes', '/feeds/changed.atom'),
    tool('registry_search', { query: SEARCH }, null),
    tool('marketplace_search', { query: SEARCH }, null),
    tool('discovery_hot', {}, null),
    rpc('completion', 'completion/complete', completed, null),
    page('the marketplace', `/marketplace?search=${SEARCH}`, null),
    page('the home page', '/', null, OK),
    send('chat', 'POST', '/api/agents/core-agent/chat', { message: `find ${SEARCH}` }, null),
    send('A2A', 'POST', '/a2a/core-agent', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message }, null),
    // Of what the service itself carries, and never of anything else.
    ...['/.well-known/agent-skills/index.json', '/.well-known/skills/index.json', '/.well-known/ai-catalog.json'].map(
      (path) => get(path, path, null, OK),
    ),
    ...['/.well-known/agent-card.json', '/llms.txt', '/api/docs.md', '/sitemaps/pages.xml', '/mcp/resources'].map(
      (path) => get(path, path, null, OK),
    ),
  ];
}

/** Of what is published here, and of what providers list beside servers. */
export function ofPublished(stand: Stand): Surface[] {
  const { get, tool, page, send } = asking(stand);
  const id = stand.published;
  const path = `/api/marketplace/listings/${id}`;
  const listing = { provider: SKILL.provider_id, external_id: SKILL.external_id };
  const order = { capability: { kind: 'capability', ref: id }, input: { text: 'a b' } };
  const named = { ...order, capability: { kind: 'capability', ref: 'eve-lab/hidden-thing' } };
  return [
    get('published: whole', path, GONE),
    get('published: a version', `${path}/versions/1.0.0`, GONE),
    get('published: a file', `${path}/versions/1.0.0/files/assets/zz.txt`, GONE),
    get('publisher', `/api/marketplace/publishers/${stand.publisher}`, /^200 .*"taken_down":true/s),
    tool('registry_get_listing', { provider: 'capstan', external_id: id }, TOLD),
    tool('registry_get_skill', listing, TOLD),
    page('what is published', `/marketplace/${id}`, PAGE_GONE),
    page('a version', `/marketplace/${id}/versions/1.0.0`, PAGE_GONE),
    page('a file', `/marketplace/${id}/versions/1.0.0/files/assets/zz.txt`, PAGE_GONE),
    page('a publisher', `/publishers/${stand.publisher}`, /^200 .*aken down/s),
    send('task of a capability', 'POST', '/api/agents/tasks', order, REFUSED, /^201/),
    send('task of a capability by name', 'POST', '/api/agents/tasks', named, REFUSED, /^201/),
  ];
}

/** Things that users created from it before. */
export function ofMadeBefore(stand: Stand): Surface[] {
  const { get, send, tool } = asking(stand);
  const id = stand.connection;
  const path = `/api/sessions/connections/${id}`;
  const hash = `sha256:${'0'.repeat(64)}`;
  const called = { capability: { kind: 'connection', ref: `${id}/echo` }, input: {} };
  const store = { type: 'bearer', token: 'EXAMPLE-token' };
  const notOffered = /^422 .*connections\.oauth_unavailable/s;
  const broken = /^409 (?=.*rigs\.conflict)(?=.*skill_gone)(?=.*server_gone).*server_unready/s;
  return [
    // Its owner sees that it is there, and deletes it.
    get('a connection', path, /^200 .*"status"/s, /^200 .*"status"/s, stand.user),
    send('tools of a connection', 'POST', `${path}/tools/list`, {}, REGISTRY_GONE),
    send('tools asked for anew', 'POST', `${path}/tools/list?refresh=true`, {}, REGISTRY_GONE),
    send('call of a tool', 'POST', `${path}/tools/call`, { tool: 'echo' }, REGISTRY_GONE),
    send('acceptance of a tool', 'POST', `${path}/tools/accept`, { tool: 'echo', hash }, REGISTRY_GONE, /^409/),
    send('credentials of a connection', 'PUT', `${path}/credentials`, store, REGISTRY_GONE, /^200/),
    send('sign-in to a server', 'POST', `${path}/oauth/start`, {}, REGISTRY_GONE, notOffered),
    send('task of a connection', 'POST', '/api/agents/tasks', called, REFUSED, /^201/),
    tool('connection_tools', { id }, TOLD),
    tool('connection_call', { id, tool: 'echo' }, TOLD),
    send(
      'a rig: verified',
      'POST',
      `/api/rigs/${stand.rig}/verify`,
      {},
      /^200 .*"verified":false/s,
      /^200 .*"verified":true/s,
    ),
    send('a rig: locked', 'POST', `/api/rigs/${stand.rig}/resolve`, {}, /^4\d\d .*rigs\..*_gone/s, /^200/),
    // With an input that does not fit, so that nothing runs.
    send('a rig: run', 'POST', `/api/rigs/${stand.rig}/run`, { input: {} }, broken, /^422 .*input_unfit/s),
  ];
}

const OK = /^200/;

function asking(stand: Stand) {
  const { ask, user } = stand;
  const rpcOf = (method: string, params: object) => async () =>
    ask('/mcp/jsonrpc', {
      as: user,
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers: { accept: 'application/json, text/event-stream' },
    });
  return {
    get: (name: string, path: string, down: RegExp | null = null, shown = FOUND, as?: Account): Surface => ({
      name,
      shown,
      down,
      ask: () => ask(path, as === undefined ? {} : { as }),
    }),
    page: (name: string, path: string, down: RegExp | null, shown = FOUND): Surface => ({
      name: `page of ${name}`,
      shown,
      down,
      ask: () => ask(path, { headers: { accept: BROWSER, host: 'localhost:8080' } }),
    }),
    send: (name: string, method: string, path: string, body: object, down: RegExp | null, shown = FOUND): Surface => ({
      name,
      shown,
      down,
      ask: async () =>
        ask(path, {
          as: user,
          method,
          body,
          headers: { 'a2a-version': '1.0', ...(method === 'PUT' ? await user.stepUp() : {}) },
        }),
    }),
    tool: (name: string, args: object, down: RegExp | null, shown = /^200 (?!.*"isError":true)/s): Surface => ({
      name: `tool ${name}`,
      shown,
      down,
      ask: rpcOf('tools/call', { name, arguments: args }),
    }),
    rpc: (name: string, method: string, params: object, down: RegExp | null): Surface => ({
      name: `MCP: ${name}`,
      shown: FOUND,
      down,
      ask: rpcOf(method, params),
    }),
  };
}
