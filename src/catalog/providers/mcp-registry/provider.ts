import { latest, time } from '#catalog/sync/adapt-fields.ts';
import { member } from '#catalog/sync/adapt-record.ts';
import type { Page, PageRequest, Provider } from '#catalog/sync/provider.ts';
import { readPage } from '#catalog/sync/read-page.ts';
import { adaptServer, officialMeta } from './adapt.ts';
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
