import { setTimeout as sleep } from 'node:timers/promises';
import type { Embeddings } from '#core/llm/embeddings.ts';
import { isProblem } from '#core/problem/problem.ts';
import { quantized } from '../index/vectors.ts';
import { outcomeOf } from './ask-in-time.ts';
import type { NoteAsked, SearchModelPart } from './meter.ts';
import type { SearchModelConfig } from './space.ts';

/** Gets vectors of texts that searches find, at the operator's pace. */
export interface TextSender {
  embeddings: Embeddings;
  config: Pick<SearchModelConfig['embeddings'], 'batch' | 'dimensions' | 'document_prefix' | 'pace'>;
  part: SearchModelPart;
  note: NoteAsked;
  signal: AbortSignal;
}

/** Numbers per response. JSON of more would hold the event loop. */
const MOST_NUMBERS = 131_072;
const USUAL_DIMENSIONS = 1_024;
const TIMEOUT_MS = 60_000;

/** How many texts a request may have. */
export function batchOf({ batch, dimensions }: TextSender['config']): number {
  const numbers = dimensions === 0 ? USUAL_DIMENSIONS : dimensions;
  return Math.max(1, Math.min(batch, Math.floor(MOST_NUMBERS / numbers)));
}

/** Null for a text that the model refuses. Throws Problems `llm.*`; an abort throws its reason. */
export async function embedTexts(sender: TextSender, texts: readonly string[]): Promise<(Int8Array | null)[]> {
  try {
    return (await request(sender, texts)).map(quantized);
  } catch (error) {
    if (!isProblem(error, 'llm.failed', 'refused')) throw error;
    // If it refuses everything, the settings are wrong. Otherwise one of the texts is at fault, and must not stop the others.
    await request(sender, [PLAIN_TEXT]);
    if (texts.length === 1) return [null];
    const vectors: (Int8Array | null)[] = [];
    for (const text of texts) vectors.push(...(await embedTexts(sender, [text])));
    return vectors;
  }
}

const PLAIN_TEXT = 'A tool that converts text.';

async function request(
  { embeddings, config, part, note, signal }: TextSender,
  texts: readonly string[],
): Promise<Float32Array[]> {
  const { pace, document_prefix } = config;
  await sleep(pace.window_ms / pace.count, undefined, { signal });
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const vectors = await embeddings.embed(
      texts.map((text) => `${document_prefix}${text}`),
      AbortSignal.any([signal, timeout]),
    );
    note(part, 'ok');
    return vectors;
  } catch (error) {
    signal.throwIfAborted();
    note(part, timeout.aborted ? 'timeout' : outcomeOf(error));
    throw error;
  }
}
