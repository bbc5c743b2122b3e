import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openToolNews } from './tool-news.ts';

test('tools count as unchanged only while the server can announce changes and has announced none', () => {
  const news = openToolNews();
  assert.equal(news.unchanged(), null);
  news.hear(true);
  assert.equal(news.unchanged(), null);
  news.declare();
  const first = news.unchanged();
  assert.ok(first !== null && first === news.unchanged());
  news.changed();
  const second = news.unchanged();
  assert.ok(second !== null && second !== first);
  news.hear(false);
  news.changed();
  assert.equal(news.unchanged(), null);
  news.hear(true);
  assert.ok(news.unchanged() !== second);
});
