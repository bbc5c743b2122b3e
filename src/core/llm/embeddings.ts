import { defined } from '#core/defined.ts';
import type { OperatorFetch } from '#core/outbound/operator-fetch.ts';
import { isProblem } from '#core/problem/problem.ts';
import { broken, type Called } from './failure.ts';
import { type ModelServer, postJson } from './post-json.ts';

/** Vectors of texts from a server with OpenAI's `POST /embeddings`. */
export interface Embeddings {
  /** In the order of the texts, all with the same number of dimensions. Throws Problems `llm.*`; an abort throws its reason. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

export interface EmbeddingsConfig {
  /** The base URL, to which `/embeddings` is added. */
  url: string;
  key: string | null;
  /** Null: the server has a single model. */
  model: string | null;
  /** Requested, and required of each vector; 0 takes what the model has. */
  dimensions: number;
}

const MOST_DIMENSIONS = 4_096;

/** Of a JSON number, with its comma. */
const BYTES_PER_NUMBER = 26;
const BYTES_PER_TEXT = 512;
const LEAST_BYTES = 65_536;

export function openEmbeddings(config: EmbeddingsConfig, operator: OperatorFetch): Embeddings {
  const { key, model, dimensions } = config;
  const title = 'The embeddings server';
  const server: ModelServer = { title, url: `${config.url}/embeddings`, key, operator };
  /** Base64 is a quarter of the size. A server may refuse to be asked for it, and may ignore the wish. */
  let format: 'base64' | 'float' = 'base64';
  let isKnown = false;
  const post = (texts: readonly string[], signal: AbortSignal): Promise<unknown> => {
    const wanted = defined({
      model: model ?? undefined,
      dimensions: dimensions === 0 ? undefined : dimensions,
      encoding_format: format === 'base64' ? format : undefined,
    });
    const numbers = texts.length * (dimensions === 0 ? MOST_DIMENSIONS : dimensions);
    const max_bytes = LEAST_BYTES + numbers * BYTES_PER_NUMBER + texts.length * BYTES_PER_TEXT;
    return postJson(server, { input: texts, ...wanted }, { signal, max_bytes });
  };
  return {
    embed: async (texts, signal) => {
      let body: unknown;
      try {
        body = await post(texts, signal);
      } catch (error) {
        if (isKnown || format === 'float' || !isProblem(error, 'llm.failed', 'refused')) throw error;
        format = 'float';
        try {
          body = await post(texts, signal);
        } catch (again) {
          format = 'base64';
          throw again;
        }
      }
      const vectors = readVectors(body, texts.length, dimensions, { provider: title, key });
      isKnown = true;
      return vectors;
    },
  };
}

function readVectors(body: unknown, count: number, dimensions: number, called: Called): Float32Array[] {
  const data = (body as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw broken(called, 'had no list `data`');
  if (data.length !== count) throw broken(called, `had ${data.length} vectors for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const [place, entry] of data.entries()) {
    const { index = place, embedding } = (entry ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index !== 'number' || !(index in vectors) || vectors[index] !== undefined)
      throw broken(called, 'numbered its vectors wrongly');
    vectors[index] = readVector(embedding, called);
  }
  const whole = vectors as Float32Array[];
  const wanted = dimensions === 0 ? (whole[0]?.length ?? 0) : dimensions;
  const other = whole.find(({ length }) => length !== wanted);
  if (other !== undefined) throw broken(called, `had a vector with ${other.length} dimensions instead of ${wanted}`);
  return whole;
}

function readVector(embedding: unknown, called: Called): Float32Array {
  const vector = typeof embedding === 'string' ? fromBase64(embedding) : fromNumbers(embedding);
  if (vector === null || vector.length === 0 || vector.length > MOST_DIMENSIONS)
    throw broken(called, 'had something else than a vector');
  let norm = 0;
  for (const value of vector) norm += value * value;
  if (!(norm > 0) || norm === Number.POSITIVE_INFINITY) throw broken(called, 'had a vector without a direction');
  return vector;
}

/** Floats of 4 bytes, the lowest first. */
function fromBase64(text: string): Float32Array | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % 4 !== 0) return null;
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
}

function fromNumbers(embedding: unknown): Float32Array | null {
  if (!Array.isArray(embedding) || embedding.length > MOST_DIMENSIONS) return null;
  return embedding.every((value) => typeof value === 'number') ? Float32Array.from(embedding as number[]) : null;
}
