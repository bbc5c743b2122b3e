import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '#core/http/openapi/problems.ts';
import { docsDeps, input, text } from '#test/docs-deps.ts';
import { CHAPTERS } from './chapters.ts';
import { renderDocs } from './docs-md.ts';
import { getDocsMd } from './get-md.ts';
import { once } from './once.ts';

test('200: documents every operation with an example and its problems', async () => {
  const deps = await docsDeps({ base_url: 'https://cap.example' });
  const { body, media_type } = await text(getDocsMd(once(() => renderDocs(deps)))(input({})));
  assert.equal(media_type, 'text/markdown; charset=utf-8');
  for (const operation of deps.operations) {
    assert.ok(body.includes(`#### ${operation.method} ${operation.path}\n`), `${operation.id} is missing`);
    for (const code of problemsOf(operation))
      assert.ok(body.includes(`](/docs/errors/${code})`), `${code} is not listed`);
  }
  const examples = body.match(/^curl .*'https:\/\/cap\.example\//gm) ?? [];
  assert.ok(examples.length > deps.operations.length);
});

test('every resource of the contract has a chapter', async () => {
  const { operations } = await docsDeps();
  const resources = new Set(operations.map(({ id }) => id.split('.')[1] as string));
  assert.deepEqual(
    [...resources].filter((resource) => !CHAPTERS.some(({ name }) => name === resource)),
    [],
  );
});
