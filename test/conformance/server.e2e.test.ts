import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openConformanceServer } from './open-server.ts';
import { REVISIONS, runSuite } from './suite.ts';

/** The protocol's own suite against our endpoint: all that either revision requires of a server. */

const REQUIRED = { '2025-11-25': 30, '2026-07-28': 37 };

const server = await openConformanceServer();
const dir = await mkdtemp(join(tmpdir(), 'capstan-conformance-'));
after(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

test('the MCP endpoint passes the official conformance suite in both revisions', { concurrency: true }, async (t) => {
  const runs = REVISIONS.map((revision) =>
    t.test(revision, async () => {
      const { passed, text } = await runSuite({ leg: 'server', revision, dir, url: server.url });
      assert.ok(passed, text);
      const unscored = Number(/^Not scored .*: (\d+) scenario/m.exec(text)?.[1] ?? 0);
      const run = (text.match(/^[✓✗] [\w-]+: \d+ passed/gm) ?? []).length;
      assert.equal(run - unscored, REQUIRED[revision]);
    }),
  );
  await Promise.all(runs);
});
