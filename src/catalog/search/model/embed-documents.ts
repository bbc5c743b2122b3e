import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { changedCapabilities } from '#catalog/identity/capabilities.ts';
import type { Clock } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobRun } from '#core/jobs/worker.ts';
import type { Embeddings } from '#core/llm/embeddings.ts';
import { isProblem } from '#core/problem/problem.ts';
import type { DocumentChange, DocumentSource } from '../build/document-source.ts';
import { quantized, vectorText } from '../index/vectors.ts';
import { outcomeOf } from './ask-in-time.ts';
import type { NoteAsked } from './meter.ts';
import { embeddedText, type SearchModelConfig } from './space.ts';
import {
  announce,
  deleteVectors,
  digestsOf,
  type EmbeddedMarks,
  idsAfter,
  readMarks,
  saveMarks,
  saveVectors,
  type VectorRow,
  vectorsOf,
} from './vectors-table.ts';

/** Gets vectors of what is listed, as it changes. Everything that was received is saved at once, so an interruption loses nothing. */

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
/** Numbers per response. JSON of more would hold the event loop. */
const MOST_NUMBERS = 131_072;
const USUAL_DIMENSIONS = 1_024;
const TIMEOUT_MS = 60_000;
/** Each announcement gives every serving thread a new view, whose caches are empty. */
const ANNOUNCE_MS = 10_000;
const PAGE = 500;

/** `is_first` looks at built-in skills too, which change with a release only. */
export async function embedDocuments(deps: EmbedDeps, space: string, run: Run, is_first: boolean): Promise<void> {
  const { db, connection, source, clock } = deps;
  const before = await readMarks(db);
  const newest = await source.newest(connection);
  const spaceMark = Number.parseInt(space.slice(0, 12), 16);
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

function batchOf({ batch, dimensions }: EmbedDeps['config']): number {
  const numbers = dimensions === 0 ? USUAL_DIMENSIONS : dimensions;
  return Math.max(1, Math.min(batch, Math.floor(MOST_NUMBERS / numbers)));
}

interface Embedding {
  deps: EmbedDeps;
  space: string;
  run: Run;
  /** The number of the rows that are written next. */
  change: number;
  announcedMs: number;
  /** By id, until there are enough for a request. */
  waiting: Map<string, Wanted>;
  batch: number;
  /** All ids, while everything is looked at. */
  seen: Set<string> | null;
}

interface Wanted {
  id: string;
  text: string;
  digest: string;
}

async function embedChanges(embedding: Embedding, changes: readonly DocumentChange[]): Promise<void> {
  const { deps, space } = embedding;
  if (changes.length === 0) return;
  const known = await digestsOf(
    deps.db,
    space,
    changes.map(({ id }) => id),
  );
  const { waiting } = embedding;
  const gone: string[] = [];
  for (const { id, document } of changes) {
    // An earlier state of it is not asked for.
    waiting.delete(id);
    if (document === null) {
      if (known.has(id)) gone.push(id);
      continue;
    }
    embedding.seen?.add(id);
    const text = embeddedText(document);
    const digest = sha256(text);
    if (known.get(id) !== digest) waiting.set(id, { id, text, digest });
  }
  if (gone.length > 0) await save(embedding, [], gone);
  while (waiting.size >= embedding.batch) await embedWaiting(embedding);
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
      : await embedTexts(
          embedding,
          asked.map(([, text]) => text),
        );
  asked.forEach(([digest], at) => {
    vectors.set(digest, found[at] as string);
  });
  const rows = some.map(({ id: capability_id, digest }) => {
    const vector = vectors.get(digest) as string;
    return { capability_id, space, digest, vector, seq };
  });
  await save(embedding, rows, []);
  for (const { id } of some) waiting.delete(id);
}

/** As they are stored: '' for a text that the model refuses. */
async function embedTexts(embedding: Embedding, texts: readonly string[]): Promise<string[]> {
  try {
    return (await request(embedding, texts)).map((vector) => vectorText(quantized(vector)));
  } catch (error) {
    if (!isProblem(error, 'llm.failed', 'refused')) throw error;
    // If it refuses everything, the settings are wrong. Otherwise one of the texts is at fault, and must not stop the others.
    await request(embedding, [PLAIN_TEXT]);
    if (texts.length === 1) return [''];
    const vectors: string[] = [];
    for (const text of texts) vectors.push(...(await embedTexts(embedding, [text])));
    return vectors;
  }
}

const PLAIN_TEXT = 'A tool that converts text.';

async function request({ deps, run }: Embedding, texts: readonly string[]): Promise<Float32Array[]> {
  const { pace, document_prefix } = deps.config;
  await sleep(pace.window_ms / pace.count, undefined, { signal: run.signal });
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const vectors = await deps.embeddings.embed(
      texts.map((text) => `${document_prefix}${text}`),
      AbortSignal.any([run.signal, timeout]),
    );
    deps.note('listings', 'ok');
    return vectors;
  } catch (error) {
    run.signal.throwIfAborted();
    deps.note('listings', timeout.aborted ? 'timeout' : outcomeOf(error));
    throw error;
  }
}

async function save(embedding: Embedding, rows: readonly VectorRow[], gone: readonly string[]): Promise<void> {
  const { db, clock } = embedding.deps;
  const isDue = Math.abs(clock.now() - embedding.announcedMs) >= ANNOUNCE_MS;
  await db.transaction().execute(async (trx) => {
    await embedding.run.fence(trx);
    await saveVectors(trx, rows);
    await deleteVectors(trx, gone);
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
