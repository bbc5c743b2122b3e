import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { openDetailBlobs } from '#app/database.ts';
import { liveRows } from '#catalog/items/read-items.ts';
import { importListings } from '#catalog/transfer/import.ts';
import { codeSpan } from '#core/markdown/escape.ts';
import { listingsFile } from './test-data.ts';
import { openWorld } from './world.ts';

const ODD = /[^\w./@-]|\/md$|\.\.|\/\//;

/** Asks for every `stride`-th listing, and each with an odd id, by its encoded and plain path and as Markdown. */
export async function checkListingPaths(stride: number): Promise<number> {
  await using world = await openWorld();
  const { db } = world.database;
  await importListings(createReadStream(listingsFile()), { db, blobs: openDetailBlobs(world.data_dir), clock: Date });
  let asked = 0;
  let after: { provider_id: string; external_id: string } | null = null;
  for (let rows = await liveRows(db, after, 5_000); rows.length > 0; rows = await liveRows(db, after, 5_000)) {
    for (const [index, { provider_id, external_id }] of rows.entries()) {
      if (index % stride !== 0 && !ODD.test(external_id)) continue;
      await checkOne(world.fetch, provider_id, external_id);
      asked++;
    }
    after = rows.at(-1) ?? null;
  }
  return asked;
}

async function checkOne(fetch: Awaited<ReturnType<typeof openWorld>>['fetch'], provider: string, id: string) {
  const base = `/api/marketplace/registry/${provider}/`;
  const plain = encodeURI(id).replaceAll('?', '%3F').replaceAll('#', '%23');
  for (const path of new Set([encodeURIComponent(id), plain])) {
    const answer = await fetch(base + path);
    assert.equal(answer.status, 200, `${provider} ${id} by ${path}`);
    assert.equal(((await answer.json()) as { external_id: string }).external_id, id);
  }
  const markdown = await fetch(`${base}${plain}/md`);
  assert.match(markdown.headers.get('content-type') ?? '', /^text\/markdown/, `${provider} ${id}`);
  assert.ok((await markdown.text()).includes(`- Id: ${codeSpan(id)}\n`), `${provider} ${id}`);
}
