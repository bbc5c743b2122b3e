import { factsIn, HELD } from '#catalog/items/facts.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { DocumentTool } from '#catalog/search/index/tool-text.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { Connection } from '#core/db/connection.ts';
import { marks } from './capabilities.ts';

/**
 * Reads what capabilities contain, to be searched: tools of servers, instructions and file names. In plain SQL, as in capabilities.ts. The
 * texts are untrusted.
 */

type Db = Pick<Connection, 'query'>;

export interface Contents {
  tools: DocumentTool[];
  /** Display names beside technical ones. */
  titles: string[];
  /** The most telling first. */
  texts: string[];
}

/** Of a capability; further ones are not searched. */
const MOST = { targets: 4, tools: 200, files: 60, text: 12_000 };
/** Rows with large texts are read a few at a time. */
const [IDS_AT_ONCE, TARGETS_AT_ONCE] = [100, 16];

/** By capability id. Without `blobs`, fetched documents are left out. */
export async function contentsOf(
  db: Db,
  ids: readonly string[],
  blobs: BlobStore | null,
): Promise<Map<string, Contents>> {
  const found = new Map<string, Contents>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE);
    await addProbed(db, some, found);
    await addFacts(db, some, found);
    await addDetails(db, some, found, blobs);
  }
  for (const contents of found.values()) contents.texts.unshift(...textsOf(contents.tools));
  return found;
}

function contentsIn(found: Map<string, Contents>, id: string): Contents {
  const known = found.get(id) ?? { tools: [], titles: [], texts: [] };
  found.set(id, known);
  return known;
}

const textsOf = (tools: readonly DocumentTool[]): string[] => [
  tools.map(({ name, title }) => `${spaced(name)} ${title}`).join('\n'),
  tools.map(({ description }) => description.slice(0, 200)).join('\n'),
];

/** The words of `camelCase` apart. */
const spaced = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');

/** What probes and started packages found. */
async function addProbed(db: Db, ids: readonly string[], found: Map<string, Contents>): Promise<void> {
  const rows = await db.query<{ stands_id: string; target_id: string; server: string | null }>(
    `SELECT DISTINCT c.stands_id, t.id AS target_id, t.server FROM capabilities c
     JOIN probe_listings p ON p.provider_id = c.provider_id AND p.external_id = c.external_id
     JOIN probe_targets t ON t.id = p.target_id
     WHERE c.stands_id IN (${marks(ids)}) AND c.is_live = 1 AND t.tools_hash IS NOT NULL
     ORDER BY c.stands_id, target_id`,
    ids,
  );
  const byCapability = Map.groupBy(rows, ({ stands_id }) => stands_id);
  const used = [...byCapability.values()].flatMap((targets) => targets.slice(0, MOST.targets));
  for (let at = 0; at < used.length; at += TARGETS_AT_ONCE) {
    const targets = used.slice(at, at + TARGETS_AT_ONCE);
    const tools = Map.groupBy(await toolsOf(db, targets), ({ target_id }) => target_id);
    for (const { stands_id, target_id, server } of targets) {
      const known = contentsIn(found, stands_id).tools;
      const name = server === null ? '' : String((JSON.parse(server) as { name?: unknown }).name ?? '');
      const own = (tools.get(target_id) ?? []).slice(0, MOST.tools - known.length);
      known.push(
        ...own.map((tool) => ({
          name: tool.name,
          title: tool.title,
          description: tool.description,
          input_schema: tool.input_schema === null ? null : JSON.parse(tool.input_schema),
          server: name,
          target: target_id,
        })),
      );
    }
  }
}

interface ToolRow {
  target_id: string;
  name: string;
  title: string;
  description: string;
  input_schema: string | null;
}

const toolsOf = (db: Db, targets: readonly { target_id: string }[]): Promise<ToolRow[]> =>
  db.query(
    `SELECT target_id, name, title, description, input_schema FROM probe_tools
     WHERE target_id IN (${marks(targets)}) ORDER BY target_id, position`,
    targets.map(({ target_id }) => target_id),
  );

/** What records of providers say: titles, and tools of servers that were not probed. */
async function addFacts(db: Db, ids: readonly string[], found: Map<string, Contents>): Promise<void> {
  const rows = await db.query<{ stands_id: string; facts: string }>(
    `SELECT c.stands_id, l.facts FROM capabilities c
     JOIN listings l ON l.provider_id = c.provider_id AND l.external_id = c.external_id
     WHERE c.stands_id IN (${marks(ids)}) AND c.is_live = 1 AND l.facts IS NOT NULL AND (l.facts_held & ?) <> 0
     ORDER BY c.stands_id, c.id`,
    [...ids, HELD.title | HELD.tools],
  );
  for (const { stands_id, facts } of rows) {
    const { title, tools = [] } = factsIn(facts);
    if (title === undefined && tools.length === 0) continue;
    const known = contentsIn(found, stands_id);
    if (title !== undefined) known.titles.push(title);
    if (known.tools.length > 0) continue;
    known.tools.push(...tools.slice(0, MOST.tools).map((tool) => ({ ...listedTool(tool), server: '', target: '' })));
  }
}

const listedTool = ({ name, title, description, input_schema }: Omit<DocumentTool, 'server' | 'target'>) => ({
  name,
  title,
  description,
  input_schema,
});

/** Names of fetched files, SKILL.md of skills, and README of harnesses and rigs. */
async function addDetails(
  db: Db,
  ids: readonly string[],
  found: Map<string, Contents>,
  blobs: BlobStore | null,
): Promise<void> {
  const files = await db.query<{ stands_id: string; files: string }>(
    `SELECT c.stands_id, d.files FROM capabilities c
     JOIN listing_details d ON d.provider_id = c.provider_id AND d.external_id = c.external_id
     WHERE c.stands_id IN (${marks(ids)}) AND c.is_live = 1 AND d.files IS NOT NULL ORDER BY c.stands_id, c.id`,
    ids,
  );
  const named = new Set<string>();
  for (const row of files) {
    if (named.has(row.stands_id)) continue;
    named.add(row.stands_id);
    contentsIn(found, row.stands_id).texts.push(fileNames(JSON.parse(row.files)));
  }
  if (blobs === null) return;
  const documents = await db.query<{ stands_id: string; digest: string }>(
    `SELECT c.stands_id, d.digest FROM capabilities c
     JOIN listings l ON l.provider_id = c.provider_id AND l.external_id = c.external_id
     JOIN listing_documents d ON d.provider_id = c.provider_id AND d.external_id = c.external_id
     WHERE c.stands_id IN (${marks(ids)}) AND c.is_live = 1 AND c.provider_id <> ?
       AND (d.kind = 'skill' OR (d.kind = 'readme' AND l.listing_type IN ('harness', 'rig')))
     ORDER BY c.stands_id, c.id, d.kind`,
    [...ids, OWN_SOURCE],
  );
  const read = new Set<string>();
  for (const { stands_id, digest } of documents) {
    if (read.has(stands_id)) continue;
    read.add(stands_id);
    const bytes = await blobs.get(digest);
    if (bytes !== null) contentsIn(found, stands_id).texts.push(bytes.toString('utf8', 0, MOST.text));
  }
}

/** Without the names that every skill has. */
export const fileNames = (files: readonly { path: string }[]): string =>
  files
    .slice(0, MOST.files)
    .map(({ path }) => path)
    .filter((path) => !/^(?:.*\/)?(?:SKILL|README|LICENSE)(?:\.\w+)?$/i.test(path))
    .join('\n');
