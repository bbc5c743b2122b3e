import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredType } from './accept.ts';

const OFFERED = ['application/json', 'text/markdown'];
const chosen = (accept: string | undefined) => preferredType(accept, OFFERED);

test('without an Accept preference, the first offered media type is chosen', () => {
  for (const accept of [undefined, '', '*/*']) assert.equal(chosen(accept), 'application/json');
});

test('the media type is chosen by q-values, and other parameters are ignored', () => {
  for (const accept of [
    'text/markdown',
    'TEXT/Markdown',
    'text/*',
    'text/markdown; charset=utf-8',
    'text/markdown;variant=GFM;q=0.9, application/json;q=0.8',
    'application/json;profile="x";q=0.1, text/markdown; q=0.2',
  ])
    assert.equal(chosen(accept), 'text/markdown', accept);
  for (const accept of ['text/markdown;q=0.4, */*;q=0.5', 'text/markdown;q=0, */*', 'application/json; charset=utf-8'])
    assert.equal(chosen(accept), 'application/json', accept);
  for (const accept of ['image/png', 'x', ',,,', ';q=1']) assert.equal(chosen(accept), undefined, accept);
});
