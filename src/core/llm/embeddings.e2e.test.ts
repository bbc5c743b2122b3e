import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import { base64Of, type FakeSearchModels, send, startSearchModels, vectorOfWords } from '#test/fakes/search-models.ts';
import { type EmbeddingsConfig, openEmbeddings } from './embeddings.ts';
import { rerank } from './rerank.ts';

const KEY = 'test-key-that-must-not-be-seen';
const operator = openOperatorFetch();
let models: FakeSearchModels;
before(async () => {
  models = await startSearchModels({ key: KEY, dimensions: 8 });
});
beforeEach(() => models.behave(null));
after(async () => {
  await models[Symbol.asyncDispose]();
  await operator.close();
});

const signal = new AbortController().signal;
const opened = (more: Partial<EmbeddingsConfig> = {}) =>
  openEmbeddings({ url: models.url, key: KEY, model: 'small', dimensions: 0, ...more }, operator);
const rounded = (vectors: readonly Float32Array[]) =>
  vectors.map((vector) => [...vector].map((value) => Math.fround(value)));
const expected = (texts: readonly string[]) => texts.map((text) => vectorOfWords(text, 8).map(Math.fround));

test('vectors arrive in the order of the texts, in base64 and as numbers', async () => {
  const texts = ['one text', 'another', 'third'];
  assert.deepEqual(rounded(await opened().embed(texts, signal)), expected(texts));
  const { authorization, ...asked } = models.embedded.at(-1) ?? {};
  assert.deepEqual(asked, { input: texts, model: 'small', encoding_format: 'base64' });
  await using plain = await startSearchModels({ dimensions: 8, floats: true });
  assert.deepEqual(rounded(await opened({ url: plain.url, key: null }).embed(texts, signal)), expected(texts));
  assert.equal(plain.embedded[0]?.authorization, undefined);
});

test('a server that refuses base64 is asked for numbers from then on', async () => {
  models.behave(({ body }, response) => {
    const { encoding_format, input } = body as { encoding_format?: string; input: string[] };
    if (encoding_format !== undefined) return send(response, 400, { error: 'unknown field encoding_format' });
    return send(response, 200, { data: input.map((text, index) => ({ index, embedding: vectorOfWords(text, 8) })) });
  });
  const embeddings = opened();
  assert.deepEqual(rounded(await embeddings.embed(['a'], signal)), expected(['a']));
  const asked = models.embedded.length;
  await embeddings.embed(['b'], signal);
  assert.equal(models.embedded.length, asked + 1);
});

test('whatever else a server answers is a failure that names neither the key nor the answer', async () => {
  const answers: [RegExp, object | string, number?][] = [
    [/rejected the request \(401\)/, { error: { message: `wrong key: Bearer ${KEY}` } }, 401],
    [/rate limit exceeded/, {}, 429],
    [/returned status 500/, {}, 500],
    [/was not JSON/, '{"data": ['],
    [/had no list/, { error: 'x' }],
    [/had no list/, 'null'],
    [/had 1 vectors for 2 texts/, { data: [{ index: 0, embedding: [1, 2] }] }],
    [
      /numbered its vectors wrongly/,
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    [
      /numbered its vectors wrongly/,
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 2, embedding: [1] },
        ],
      },
    ],
    [
      /dimensions instead of/,
      {
        data: [
          { index: 0, embedding: [1, 2] },
          { index: 1, embedding: [1] },
        ],
      },
    ],
    [/something else than a vector/, { data: [{ embedding: null }, { embedding: [1] }] }],
    [/something else than a vector/, { data: [{ embedding: ['1'] }, { embedding: [1] }] }],
    [/something else than a vector/, { data: [{ embedding: 'AAA' }, { embedding: [1] }] }],
    [/something else than a vector/, { data: [{ embedding: [] }, { embedding: [] }] }],
    [/without a direction/, { data: [{ embedding: [0, 0] }, { embedding: [1, 1] }] }],
    [/without a direction/, { data: [{ embedding: base64Of([Number.NaN]) }, { embedding: [1] }] }],
    [/was too large/, `"${'x'.repeat(4_000_000)}"`],
  ];
  for (const [seen, body, status = 200] of answers) {
    models.behave((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await assert.rejects(opened().embed(['a', 'b'], signal), ({ message }: Error) => {
      assert.match(message, seen);
      assert.doesNotMatch(message, new RegExp(KEY));
      return true;
    });
  }
});

test('an answer with other dimensions than requested is refused', async () => {
  models.behave((_, response) => send(response, 200, { data: [{ index: 0, embedding: vectorOfWords('a', 8) }] }));
  await assert.rejects(opened({ dimensions: 16 }).embed(['a'], signal), /8 dimensions instead of 16/);
});

test('a rate limit names the time to wait, and redirects are not followed', async () => {
  models.behave((_, response) => send(response, 429, {}, { 'retry-after': '7' }));
  await assert.rejects(opened().embed(['a'], signal), { code: 'llm.unavailable', headers: { 'retry-after': '7' } });
  models.behave((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end());
  await assert.rejects(opened().embed(['a'], signal), /its URL redirects/);
});

test('an answer that begins and never ends is left when the signal aborts', async () => {
  models.behave((_, response) => response.writeHead(200).write('{"data":['));
  const reason = new Error('too late');
  const leaving = new AbortController();
  const asked = opened().embed(['a'], leaving.signal);
  leaving.abort(reason);
  await assert.rejects(asked, reason);
});

test('a reranker orders by its scores, and its answer is checked', async () => {
  const server = { title: 'The reranker', url: `${models.url}/rerank`, key: KEY, operator };
  const ask = (documents = ['a dog', 'a cat', 'the cat and the dog']) =>
    rerank(server, { model: null, query: 'cat and dog', documents }, signal);
  assert.deepEqual(await ask(), [2, 0, 1]);
  const behaving = (results: unknown) => models.behave((_, response) => send(response, 200, { results }));
  behaving([{ index: 1, relevance_score: 0.1 }]);
  assert.deepEqual(await ask(), [1, 0, 2], 'what it left out follows');
  for (const results of [
    undefined,
    [],
    [{ index: 3, relevance_score: 1 }],
    [{ index: -1, relevance_score: 1 }],
    [{ index: '1', relevance_score: 1 }],
    [
      { index: 1, relevance_score: 1 },
      { index: 1, relevance_score: 2 },
    ],
    [{ index: 1, relevance_score: 'high' }],
    [null],
    Array.from({ length: 4 }, (_, index) => ({ index, relevance_score: 1 })),
  ]) {
    behaving(results);
    await assert.rejects(ask(), { code: 'llm.failed', reason: 'broken_answer' });
  }
});
