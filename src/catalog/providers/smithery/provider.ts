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
import { adaptServer, adaptSkill } from './adapt.ts';
import { installOf } from './adapt-detail.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import { ServerDetail, ServersPage, SkillsPage } from './wire.ts';

const PAGE_SIZE = '100';
// Any constant: the same seed gives the same order for all pages, so that no server is skipped or repeated.
const SEED = '1';

/** Smithery: servers, then skills, both by page number. It cannot list changes only. */
export const smithery: Provider = {
  id: 'smithery',
  title: 'Smithery',
  base_url: 'https://api.smithery.ai',
  key: 'optional',
  incremental: false,
  walked: true,
  // The rate limit is not published. At two requests per second, 14,000 servers take 70 s.
  pace: { concurrency: 1, interval_ms: 500, timeout_ms: 20_000, max_bytes: 16 * 1024 * 1024 },
  fetchPage,
  // The list does not include the address of a deployed server, or its tools.
  detail: { listing_types: ['server'], fetch: fetchDetail },
};

async function fetchPage(request: PageRequest): Promise<Page> {
  const cursor = parseCursor(request.cursor);
  return cursor.collection === 'servers' ? fetchServers(request, cursor) : fetchSkills(request, cursor);
}

async function fetchServers(request: PageRequest, { page }: Cursor): Promise<Page> {
  const body = await fetchText(request, '/servers', { page: String(page), pageSize: PAGE_SIZE, seed: SEED });
  const { servers, pagination } = readPage('smithery', ServersPage, body);
  const more = servers.length > 0 && page < pagination.totalPages;
  const next: Cursor = more
    ? { collection: 'servers', page: page + 1, servers_total: null }
    : { collection: 'skills', page: 1, servers_total: pagination.totalCount ?? null };
  // The number of skills is unknown at this point, so there is no total.
  return { records: servers.map(adaptServer), next: JSON.stringify(next), total: null, watermark: null };
}

async function fetchSkills(request: PageRequest, cursor: Cursor): Promise<Page> {
  const body = await fetchText(request, '/skills', { page: String(cursor.page), pageSize: PAGE_SIZE });
  const { skills, pagination } = readPage('smithery', SkillsPage, body);
  const more = skills.length > 0 && cursor.page < pagination.totalPages;
  return {
    records: skills.map(adaptSkill),
    next: more ? JSON.stringify({ ...cursor, page: cursor.page + 1 }) : null,
    total: sum(cursor.servers_total, pagination.totalCount),
    watermark: null,
  };
}

const sum = (servers: number | null, skills: number | null | undefined): number | null =>
  servers === null || skills === null || skills === undefined ? null : servers + skills;

async function fetchText(request: PageRequest, path: string, query: Record<string, string>): Promise<string> {
  const answer = await request.get(`${request.base_url}${path}?${new URLSearchParams(query)}`, {
    accept: 'application/json',
    ...defined({ bearer: request.key ?? undefined }),
  });
  return answer.text;
}

async function fetchDetail({ get, base_url, key, listing, validators }: DetailRequest): Promise<Detail> {
  const answer = await get(`${base_url}/servers/${encodeURIComponent(listing.external_id)}`, {
    accept: 'application/json',
    validators,
    max_bytes: MAX_DETAIL_BYTES,
    ...defined({ bearer: key ?? undefined }),
  });
  const { text } = answer;
  if (answer.status === 304) return { text: '', validators: answer.validators, unchanged: true };
  const server = readPage('smithery', ServerDetail, text);
  return {
    install: installOf(server),
    facts: { icons: member(server, 'iconUrl'), tools: member(server, 'tools') },
    text,
    validators: answer.validators,
    unchanged: false,
  };
}
