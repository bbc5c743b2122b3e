import { latest, time } from '#catalog/sync/adapt-fields.ts';
import { member } from '#catalog/sync/adapt-record.ts';
import {
  type Detail,
  type DetailRequest,
  MAX_DETAIL_BYTES,
  type Page,
  type PageRequest,
  type Provider,
} from '#catalog/sync/provider.ts';
import { readPage } from '#catalog/sync/read-page.ts';
import { defined } from '#core/defined.ts';
import { adaptServer, officialMeta } from './adapt.ts';
import { earlierRecords, versionsOf } from './versions.ts';
import { ServersPage } from './wire.ts';

const PAGE_SIZE = 100;

/** The official MCP Registry: latest versions only, cursor paging, and `updated_since` for incremental runs. */
export const mcpRegistry: Provider = {
  id: 'mcp-registry',
  title: 'MCP Registry',
  base_url: 'https://registry.modelcontextprotocol.io',
  key: 'none',
  incremental: true,
  // No rate limit is published, but aggregators are asked to sync rarely. A full run has about 310 pages.
  pace: { concurrency: 1, interval_ms: 250, timeout_ms: 20_000, max_bytes: 8 * 1024 * 1024 },
  fetchPage,
  // The list is read in latest versions only.
  detail: { listing_types: ['server'], fetch: fetchVersions },
};

async function fetchPage(request: PageRequest): Promise<Page> {
  const answer = await request.get(`${request.base_url}/v0.1/servers?${query(request)}`, {
    accept: 'application/json',
  });
  const page = readPage('mcp-registry', ServersPage, answer.text);
  // A mirror may ignore `version=latest`; older versions must not replace the latest.
  const current = page.servers.filter((raw) => member(officialMeta(raw), 'isLatest') !== false);
  return {
    records: current.map(adaptServer),
    next: page.metadata?.nextCursor || null,
    total: null,
    watermark: latest(page.servers.map((raw) => time(member(officialMeta(raw), 'updatedAt')))),
  };
}

function query({ cursor, mode, since }: PageRequest): URLSearchParams {
  const params = new URLSearchParams({ limit: String(PAGE_SIZE), version: 'latest' });
  if (mode === 'incremental' && since !== null) {
    params.set('updated_since', since);
    params.set('include_deleted', 'true');
  }
  if (cursor !== null) params.set('cursor', cursor);
  return params;
}

/** `GET /v0.1/servers/{name}/versions`: records of all versions. */
async function fetchVersions({ get, base_url, listing, validators }: DetailRequest): Promise<Detail> {
  const url = `${base_url}/v0.1/servers/${encodeURIComponent(listing.external_id)}/versions`;
  const answer = await get(url, { accept: 'application/json', validators, max_bytes: MAX_VERSIONS_BYTES });
  if (answer.status === 304) return { text: '', validators: answer.validators, unchanged: true };
  const { servers } = readPage('mcp-registry', ServersPage, answer.text);
  const text = earlierRecords(listing.external_id, servers);
  return {
    facts: { versions: versionsOf(listing.external_id, servers) },
    ...defined({ documents: text === '' ? undefined : [{ kind: 'versions' as const, url, text }] }),
    text: answer.text,
    validators: answer.validators,
    unchanged: false,
  };
}

/** Some servers have hundreds of versions. */
const MAX_VERSIONS_BYTES = 4 * MAX_DETAIL_BYTES;
