import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCampaign } from './fuzz/campaign.ts';
import { judge } from './fuzz/judge.ts';

/** A short run of `npm run fuzz`. */

test('400 hostile requests get only responses that the contract allows, and no 500', async () => {
  const { findings, by_status } = await runCampaign({ count: 400, seed: 7 });
  assert.deepEqual(findings, []);
  const statuses = Object.keys(by_status);
  assert.ok(
    ['200', '202', '400', '401', '404', '405', '415'].every((status) => statuses.includes(status)),
    `little was met: ${statuses.join(' ')}`,
  );
});

test('the judge reports responses that violate the contract', () => {
  const request = { method: 'GET', target: '/api/skills', headers: {}, body: null, credential: 'none' } as const;
  const headers = { 'x-request-id': 'x', 'x-content-type-options': 'nosniff', 'content-type': 'application/json' };
  const judged = (status: number, body: object, more = {}) =>
    judge(request, {
      status,
      headers: { ...headers, ...more },
      cut: false,
      took_ms: 1,
      body: Buffer.from(JSON.stringify(body)),
    });
  const problem = { 'content-type': 'application/problem+json' };
  const named = { code: 'auth.token_required', status: 401, detail: 'x', request_id: 'x' };
  assert.match(judged(500, { code: 'http.internal' }, problem).join(), /500 http\.internal/);
  assert.match(judged(200, { items: 7 }).join(), /answer/);
  assert.match(judged(201, {}).join(), /201 is not named/);
  assert.match(judged(401, named, problem).join(), /auth\.token_required is not named by runtime\.skills\.list/);
  assert.match(judged(404, {}, { 'x-content-type-options': 'x' }).join(), /no nosniff/);
});
