import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.ts';
import { capstand, freshDir } from './capstand.ts';

const PRELOAD = new URL('./other-platform.mjs', import.meta.url).href;

for (const platform of ['darwin', 'win32'])
  test(`the service starts and answers with process.platform set to ${platform}`, async () => {
    const DATA_DIR = await freshDir();
    const service = capstand(['serve'], { DATA_DIR, TEST_PLATFORM: platform, NODE_OPTIONS: `--import=${PRELOAD}` });
    try {
      const url = await service.url();
      await until('readiness', async () => (await fetch(`${url}/readyz`)).status === 200);
      for (const path of ['/healthz', '/', '/api/skills']) {
        const answer = await fetch(`${url}${path}`);
        assert.equal(answer.status, 200, path);
        await answer.arrayBuffer();
      }
    } finally {
      service.child.kill('SIGTERM');
    }
    const { code, stderr } = await service.ended;
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /"level":"(?:error|fatal)"/);
  });
