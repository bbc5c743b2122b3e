import { rejected } from '#catalog/sync/adapt-record.ts';
import type { Page, PageRequest, Provider, Validators } from '#catalog/sync/provider.ts';
import { readPage } from '#catalog/sync/read-page.ts';
import { upstreamStatus } from '#catalog/sync/upstream-status.ts';
import { adaptPlugin, contextOf } from './adapt.ts';
import { type Cursor, readCursor, readMap, writeMap } from './cursor.ts';
import { Marketplace } from './wire.ts';

/** The files of one sync, one page each. Only the first one is required. */
const FILES = [
  { catalog: 'anthropics/claude-plugins-official', path: 'main/.claude-plugin/marketplace.json' },
  { catalog: 'anthropics/claude-plugins-community', path: 'main/.claude-plugin/marketplace.json' },
  { catalog: 'github/awesome-copilot', path: 'main/.github/plugin/marketplace.json' },
  { catalog: 'openai/plugins', path: 'main/.agents/plugins/marketplace.json' },
] as const;
type File = (typeof FILES)[number];

const address = (baseUrl: string, { catalog, path }: File): string => `${baseUrl}/${catalog}/${path}`;

async function fetchPage(request: PageRequest): Promise<Page> {
  if (request.cursor === null && (await isUnchanged(request))) {
    return { records: [], next: null, total: null, watermark: null, validators: request.validators, unchanged: true };
  }
  const at = readCursor(request.cursor, FILES.length);
  const file = FILES[at.file] as File;
  const { records, validators } = await readFile(request, file, at.file === 0);
  const known = validators === null ? at.known : { ...at.known, [file.catalog]: validators };
  const next: Cursor = { file: at.file + 1, known };
  return {
    records,
    next: next.file < FILES.length ? JSON.stringify(next) : null,
    total: null,
    watermark: null,
    validators: writeMap(known),
  };
}

/** A 304 has no records, so a sync is unchanged only if every file is. */
async function isUnchanged({ get, base_url, validators }: PageRequest): Promise<boolean> {
  const known = readMap(validators);
  for (const file of FILES) {
    const its = known[file.catalog];
    if (its === undefined) return false;
    const answer = await orGone(get(address(base_url, file), { accept: 'text/plain', validators: its }));
    if (answer?.status !== 304) return false;
  }
  return true;
}

async function readFile({ get, base_url }: PageRequest, file: File, required: boolean) {
  const asked = get(address(base_url, file), { accept: 'text/plain' });
  const answer = await (required ? asked : orGone(asked));
  if (answer === null) {
    const reason = `${file.catalog} has no ${file.path} (404); this sync skips its plugins`;
    return { records: [rejected(file, null, reason)], validators: null as Validators | null };
  }
  const marketplace = readPage('claude-plugins', Marketplace, answer.text);
  const context = contextOf(marketplace, file.catalog);
  return { records: marketplace.plugins.map((raw) => adaptPlugin(raw, context)), validators: answer.validators };
}

async function orGone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (upstreamStatus(error) === 404) return null;
    throw error;
  }
}

export const claudePlugins: Provider = {
  id: 'claude-plugins',
  title: 'Plugin marketplaces',
  base_url: 'https://raw.githubusercontent.com',
  key: 'none',
  incremental: false,
  pace: { concurrency: 1, interval_ms: 500, timeout_ms: 30_000, max_bytes: 16_000_000 },
  fetchPage,
};
