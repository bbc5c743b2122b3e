import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/docs-deps.ts';
import { getLlmsFull } from './get-llms-full.ts';

test('200: the title, every guide and the API in one text', async () => {
  const guides = new Map([
    ['agent', '# The agent\n\nAsk it.\n'],
    ['users', '# Users\n'],
  ]);
  const { body, media_type } = await text(
    getLlmsFull(
      async () => guides,
      () => '# The API\n',
    )(input({})),
  );
  assert.equal(media_type, 'text/plain; charset=utf-8');
  const titles = body.split('\n').filter((line) => line.startsWith('# '));
  assert.deepEqual(titles, ['# Capstan', '# The agent', '# Users', '# The API']);
  assert.match(body, /^# Capstan\n\n> \S/);
});
