import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { getOpenSearch } from './get-open-search.ts';

test('200: the URL of the search page with a placeholder for the search terms', async () => {
  const { body, media_type } = await text(getOpenSearch('https://a.example')(input({})));
  assert.match(media_type, /^application\/opensearchdescription\+xml/);
  assert.match(body, /^<\?xml /);
  assert.match(
    body,
    /<Url type="text\/html" rel="results" template="https:\/\/a\.example\/marketplace\?search=\{searchTerms\}"\/>/,
  );
  assert.match(
    body,
    /template="https:\/\/a\.example\/api\/marketplace\/registry\?search=\{searchTerms\}&amp;sort=relevance"/,
  );
});
