import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { issuersSetting } from './issuers.ts';
import { listIssuers } from './list-issuers.ts';

test('200: the CI services, and the audience of their tokens', async () => {
  const trusted_issuers = issuersSetting('X', '').parse('gitlab=gitlab:https://gitlab.com');
  const list = listIssuers({ base_url: 'https://capstan.example', limits: { trusted_issuers } as never });
  assert.deepEqual(JSON.parse((await text(list(input({})))).body), {
    audience: 'https://capstan.example',
    items: [
      { name: 'github', kind: 'github', url: 'https://token.actions.githubusercontent.com' },
      { name: 'gitlab', kind: 'gitlab', url: 'https://gitlab.com' },
    ],
  });
});
