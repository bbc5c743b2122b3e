import type { Kysely } from 'kysely';
import { changedCapabilities } from '#catalog/identity/capabilities.ts';
import type { Clock } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import type { Embeddings } from '#core/llm/embeddings.ts';
import { ownTurn } from '#core/threads/own-turn.ts';
import type { DocumentChange, DocumentSource } from '../build/document-source.ts';
import type { DocumentTool } from '../index/tool-text.ts';
import { toolKeyOf, vectorText } from '../index/vectors.ts';
import { batchOf, embedTexts } from './embed-texts.ts';
import type { NoteAsked } from './meter.ts';
import { embeddedText, type SearchModelConfig } from './space.ts';
import { embeddableTools } from './tool-text.ts';
import {
  announce,
  countToolVectors,
  deleteToolVectors,
  deleteVectors,
  digestsOf,
  type EmbeddedMarks,
  idsAfter,
  readMarks,
  saveMarks,
  saveVectors,
  type ToolKey,
  type VectorRow,
  vectorsOf,
} from './vectors-table.ts';

/** Gets vectors of what is listed and of its tools, as it changes. Everything that was received is saved at once, so an interruption loses nothing. */

export interface EmbedDeps {
  db: Kysely<Schema>;
  /** Plain SQL over the same database. */
  connection: Pick<Connection, 'query'>;
  source: DocumentSource;
  embeddings: Embeddings;
  config: SearchModelConfig['embeddings'];
  clock: Clock;
  note: NoteAsked;
}

type Run = Pick<JobRun, 'fence' | 'signal'>;

/** Merging listings holds the event loop, so few are merged at a time. */
const STEP = 25;
/** Each announcement gives every serving thread a new view, whose caches are empty. */
const ANNOUNCE_MS = 10_000;
const PAGE = 500;

/** `is_first` looks at built-in skills too, which change with a release only. */
export async function embedDocuments(deps: EmbedDeps, space: string, run: Run, is_first: boolean): Promise<void> {
  const { db, connection, source, clock } = deps;
  const before = await readMarks(db);
  const newest = await source.newest(connection);
  const spaceMark = markOf(space, deps.config.tools);
  const isAnew = before.space !== spaceMark || newest.seq < before.seq || newest.published < before.published;
  const since = isAnew ? { seq: 0, published: 0 } : before;
  if (!is_first && newest.seq === since.seq && newest.published === since.published) return;
  const embedding: Embedding = {
    deps,
    space,
    run,
    change: before.change + 1,
    announcedMs: clock.now(),
    waiting: new Map(),
    batch: batchOf(deps.config),
    seen: isAnew ? new Set() : null,
    tools_left: deps.config.tools - (isAnew ? 0 : await countToolVectors(db)),
  };
  const builtIn = await source.builtIn(connection);
  for (let at = 0; at < builtIn.length; at += STEP) await embedChanges(embedding, builtIn.slice(at, at + STEP));
  for (let after = since.published; after < newest.published; after += STEP)
    await embedChanges(embedding, await source.published(connection, after, after + STEP));
  for await (const page of changedCapabilities(connection, since.seq))
    for (let at = 0; at < page.length; at += STEP)
      await embedChanges(embedding, await source.documents(connection, page.slice(at, at + STEP)));
  while (embedding.waiting.size > 0) await embedWaiting(embedding);
  await finish(embedding, { ...newest, space: spaceMark });
}

/** Another limit of tools is another mark, so that everything is looked at again. */
const markOf = (space: string, tools: number): number => Number.parseInt(sha256(`${space} ${tools}`).slice(0, 12), 16);

interface Embedding {
  deps: EmbedDeps;
  space: string;
  run: Run;
  /** The number of the rows that are written next. */
  change: number;
  announcedMs: number;
  /** By capability and tool, until there are enough for a request. */
  waiting: Map<string, Wanted>;
  batch: number;
  /** All ids, while everything is looked at. */
  seen: Set<string> | null;
  /** How many more tools may have a vector. */
  tools_left: number;
}

interface Wanted extends ToolKey {
  text: string;
  digest: string;
}

async function embedChanges(embedding: Embedding, changes: readonly DocumentChange[]): Promise<void> {
  const { deps, space, waiting } = embedding;
  if (changes.length === 0) return;
  const ids = new Set(changes.map(({ id }) => id));
  const known = await digestsOf(deps.db, space, [...ids]);
  // Earlier states of them are not asked for.
  for (const [key, { capability_id }] of waiting) if (ids.has(capability_id)) waiting.delete(key);
  const gone: Gone = { ids: [], tools: [] };
  for (const { id, document } of changes) {
    const tools = known.tools.get(id) ?? new Map<string, string>();
    if (document === null) {
      if (known.own.has(id) || tools.size > 0) gone.ids.push(id);
      if (embedding.seen === null) embedding.tools_left += tools.size;
      continue;
    }
    embedding.seen?.add(id);
    const text = embeddedText(document);
    want(embedding, { capability_id: id, tool: '', text, digest: sha256(text) }, known.own.get(id));
    gone.tools.push(...wantTools(embedding, id, document.tools, tools));
    if (document.tools.length > 0) await ownTurn();
  }
  if (gone.ids.length > 0 || gone.tools.length > 0) await save(embedding, [], gone);
  while (waiting.size >= embedding.batch) await embedWaiting(embedding);
}

/** What has no vector any more. */
interface Gone {
  ids: string[];
  tools: ToolKey[];
}

function want({ waiting }: Embedding, wanted: Wanted, known: string | undefined): void {
  if (known !== wanted.digest) waiting.set(toolKeyOf(wanted.capability_id, wanted.tool), wanted);
}

/** Returns the known ones that it has no more, or that are too many. */
function wantTools(
  embedding: Embedding,
  capability_id: string,
  tools: readonly DocumentTool[],
  known: ReadonlyMap<string, string>,
): ToolKey[] {
  const gone = new Set(known.keys());
  for (const [tool, text] of embeddableTools(tools)) {
    // While everything is looked at, known ones count again.
    const isCounted = embedding.seen !== null || !known.has(tool);
    if (isCounted && embedding.tools_left <= 0) continue;
    if (isCounted) embedding.tools_left--;
    gone.delete(tool);
    want(embedding, { capability_id, tool, text, digest: sha256(text) }, known.get(tool));
  }
  if (embedding.seen === null) embedding.tools_left += gone.size;
  return [...gone].map((tool) => ({ capability_id, tool }));
}

/** Gets the vectors of what has waited longest. Many listings have the text of another one, which is sent once. */
async function embedWaiting(embedding: Embedding): Promise<void> {
  const { deps, space, waiting, batch, change: seq } = embedding;
  const some = [...waiting.values()].slice(0, batch);
  const texts = new Map(some.map(({ digest, text }) => [digest, text]));
  const vectors = await vectorsOf(deps.db, space, [...texts.keys()]);
  const asked = [...texts].filter(([digest]) => !vectors.has(digest));
  const found =
    asked.length === 0
      ? []
      : await embed(
          embedding,
          asked.map(([, text]) => text),
        );
  asked.forEach(([digest], at) => {
    vectors.set(digest, found[at] as string);
  });
  const rows = some.map(({ capability_id, tool, digest }) => {
    const vector = vectors.get(digest) as string;
    return { capability_id, tool, space, digest, vector, seq };
  });
  await save(embedding, rows, NOTHING);
  for (const { capability_id, tool } of some) waiting.delete(toolKeyOf(capability_id, tool));
}

const NOTHING: Gone = { ids: [], tools: [] };

/** As they are stored: '' for a text that the model refuses. */
async function embed({ deps, run }: Embedding, texts: readonly string[]): Promise<string[]> {
  const { embeddings, config, note } = deps;
  const vectors = await embedTexts({ embeddings, config, part: 'listings', note, signal: run.signal }, texts);
  return vectors.map((vector) => (vector === null ? '' : vectorText(vector)));
}

async function save(embedding: Embedding, rows: readonly VectorRow[], gone: Gone): Promise<void> {
  const { db, clock } = embedding.deps;
  const isDue = Math.abs(clock.now() - embedding.announcedMs) >= ANNOUNCE_MS;
  await db.transaction().execute(async (trx) => {
    await embedding.run.fence(trx);
    await saveVectors(trx, rows);
    await deleteVectors(trx, gone.ids);
    await deleteToolVectors(trx, gone.tools);
    if (isDue) await announce(trx, embedding.change);
  });
  if (!isDue) return;
  embedding.change++;
  embedding.announcedMs = clock.now();
}

/** Deletes what belongs to nothing, announces the rest, and notes how far it came. */
async function finish({ deps, run, seen, change }: Embedding, marks: EmbeddedMarks): Promise<void> {
  const gone: string[] = [];
  for (let after = ''; seen !== null; ) {
    const ids = await idsAfter(deps.db, after, PAGE);
    gone.push(...ids.filter((id) => !seen.has(id)));
    if (ids.length < PAGE) break;
    after = ids.at(-1) as string;
  }
  await deps.db.transaction().execute(async (trx) => {
    await run.fence(trx);
    await deleteVectors(trx, gone);
    await announce(trx, change);
    await saveMarks(trx, marks);
  });
}

/** Without a model nothing is kept of one. */
export async function forgetVectors(db: Kysely<Schema>, run: Run): Promise<void> {
  for (;;) {
    const ids = await idsAfter(db, '', PAGE);
    await db.transaction().execute(async (trx) => {
      await run.fence(trx);
      await deleteVectors(trx, ids);
      await saveMarks(trx, { seq: 0, published: 0, space: 0 });
    });
    if (ids.length < PAGE || run.signal.aborted) return;
  }
}
