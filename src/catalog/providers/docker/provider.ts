import { url } from '#catalog/sync/adapt-fields.ts';
import { member } from '#catalog/sync/adapt-record.ts';
import {
  type Detail,
  type DetailRequest,
  MAX_DETAIL_BYTES,
  type Page,
  type PageRequest,
  type Provider,
} from '#catalog/sync/provider.ts';
import { parseJson } from '#catalog/sync/read-page.ts';
import { adaptEntry } from './adapt.ts';
import { parseCatalog } from './parse-catalog.ts';

/** Docker's MCP catalog: one document, requested with the validators of the last response. */
export const docker: Provider = {
  id: 'docker',
  title: 'Docker MCP Catalog',
  base_url: 'https://desktop.docker.com',
  key: 'none',
  incremental: false,
  pace: { concurrency: 1, interval_ms: 1_000, timeout_ms: 30_000, max_bytes: 8 * 1024 * 1024 },
  fetchPage,
  // Entries may name an address of their tools, with descriptions and arguments.
  detail: { listing_types: ['server'], is_elsewhere: true, fetch: fetchTools },
};

async function fetchPage({ get, base_url, validators }: PageRequest): Promise<Page> {
  const answer = await get(`${base_url}/mcp/catalog/v3/catalog.yaml`, {
    accept: 'application/yaml, application/json;q=0.5, */*;q=0.1',
    validators,
  });
  const page: Page = { records: [], next: null, total: null, watermark: null, validators: answer.validators };
  // A 304 may omit its validators.
  if (answer.status === 304) return { ...page, validators: { ...validators, ...answer.validators }, unchanged: true };
  const records = (await parseCatalog(answer.text)).map(([name, entry]) => adaptEntry(name, entry));
  return { ...page, records, total: records.length };
}

/** The address is that of the record, so it may be anywhere on the public internet. */
async function fetchTools({ get, listing, validators }: DetailRequest): Promise<Detail> {
  const address = url(member(listing.manifest === null ? null : JSON.parse(listing.manifest), 'toolsUrl'));
  if (address === '') return { text: '', validators: {}, unchanged: false };
  const answer = await get(address, { validators, max_bytes: MAX_DETAIL_BYTES });
  if (answer.status === 304) return { text: '', validators: answer.validators, unchanged: true };
  const tools = parseJson('docker', answer.text);
  return { facts: { tools }, text: answer.text, validators: answer.validators, unchanged: false };
}
