import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server with OpenAI's `POST /embeddings` and the `POST /rerank` of Cohere and Jina, as well or badly as a test wants. */
export interface FakeSearchModels extends AsyncDisposable {
  /** Base URL. */
  url: string;
  /** Requests for vectors and for an order, oldest first. */
  embedded: EmbeddingsRequest[];
  reranked: RerankRequest[];
  /** How the next requests are answered. */
  behave(as: Behaviour): void;
}

interface EmbeddingsRequest {
  input: string[];
  model?: string;
  dimensions?: number;
  encoding_format?: string;
  authorization: string | undefined;
}

interface RerankRequest {
  query: string;
  documents: string[];
  top_n: number;
  authorization: string | undefined;
}

/** Anything but the right answer; null for the right one. Called with the request. */
type Behaviour = ((request: { path: string; body: unknown }, response: ServerResponse) => unknown) | null;

interface Options {
  vectorOf?: (text: string, dimensions: number) => number[];
  dimensions?: number;
  /** Answers floats whatever is asked for. */
  floats?: boolean;
  key?: string;
  scoreOf?: (query: string, document: string) => number;
}

export async function startSearchModels({
  vectorOf = vectorOfWords,
  dimensions: own = 64,
  floats = false,
  key,
  scoreOf = sharedWords,
}: Options = {}): Promise<FakeSearchModels> {
  const embedded: EmbeddingsRequest[] = [];
  const reranked: RerankRequest[] = [];
  let behaviour: Behaviour = null;
  const embed = (request: EmbeddingsRequest, response: ServerResponse): void => {
    const { input, dimensions = own, encoding_format } = request;
    const data = input.map((text, index) => {
      const vector = vectorOf(text, dimensions);
      const embedding = encoding_format === 'base64' && !floats ? base64Of(vector) : vector;
      return { object: 'embedding', index, embedding };
    });
    // The order in the list is not promised.
    send(response, 200, { object: 'list', data: data.reverse(), model: request.model ?? 'own' });
  };
  const order = ({ query, documents, top_n }: RerankRequest, response: ServerResponse): void => {
    const results = documents
      .map((document, index) => ({ index, relevance_score: scoreOf(query, document) }))
      .toSorted((a, b) => b.relevance_score - a.relevance_score)
      .slice(0, top_n);
    send(response, 200, { results });
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const { authorization } = request.headers;
    const body = { ...JSON.parse(await textOf(request)), authorization };
    if (path === '/v1/embeddings') embedded.push(body);
    else if (path === '/v1/rerank') reranked.push(body);
    else return send(response, 404, { error: { message: 'no such path' } });
    if (behaviour !== null) return behaviour({ path, body }, response);
    if (key !== undefined && authorization !== `Bearer ${key}`)
      return send(response, 401, { error: { message: `wrong key: ${authorization}` } });
    return path === '/v1/embeddings' ? embed(body, response) : order(body, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    embedded,
    reranked,
    behave: (as) => {
      behaviour = as;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export function base64Of(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}

/** Words that mean the same have the same direction, as in a real model. */
const SAME = new Map([
  ['canine', 'dog'],
  ['puppy', 'dog'],
  ['rainfall', 'weather'],
  ['forecast', 'weather'],
]);

/** The sum of a fixed direction for each word. */
export function vectorOfWords(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? ['']) {
    let state = 7;
    for (const letter of SAME.get(word) ?? word) state = (Math.imul(state, 31) + letter.charCodeAt(0)) | 0;
    for (let i = 0; i < dimensions; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      // Real models have no texts that point away from each other.
      vector[i] = (vector[i] as number) + state / 2 ** 31 + 0.3;
    }
  }
  return vector;
}

function sharedWords(query: string, document: string): number {
  const words = new Set(document.toLowerCase().match(/[a-z0-9]+/g));
  return (query.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => words.has(word)).length;
}
