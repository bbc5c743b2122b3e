import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapstanError } from '../../sdk/src/index.ts';
import { tellOf } from '../src/failure.ts';

const limited = (code: string, detail: string) =>
  tellOf(new CapstanError({ kind: 'rate_limited', code, detail, retry_after_ms: 36_060_000 }), 'https://x.example')
    ?.fix;

test('a refusal says once when to retry, and how to get more without waiting', () => {
  assert.equal(limited('http.limit_exceeded', 'Too much.'), 'Retry in 36060 s.');
  assert.equal(limited('http.limit_exceeded', 'Too much. Retry in 12 s.'), '');
  assert.equal(limited('trials.limit_exceeded', 'Try again after 00:00 UTC, or sign in.'), 'Sign in: capstan login');
});
