import type { Page, PageRequest, Provider } from '#catalog/sync/provider.ts';
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
