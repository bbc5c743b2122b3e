import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NONE_LEFT_OUT } from '#core/mcp/tool-listing.ts';
import { openToolNews } from '#core/mcp/tool-news.ts';
import { verifiedTools } from './verified-tools.ts';

function session() {
  const news = openToolNews();
  news.declare();
  let description = 'one';
  let lists = 0;
  const inputSchema = { type: 'object' as const };
  return {
    news,
    lists: () => lists,
    change: (now: string) => {
      description = now;
    },
    unchanged: news.unchanged,
    listTools: async () => {
      lists++;
      return { tools: [{ name: 'say', description, inputSchema }], left_out: NONE_LEFT_OUT };
    },
  };
}

test('a tool is verified once while its server can announce changes, and again after an announcement', async () => {
  const verified = verifiedTools(60_000);
  const of = session();
  const first = await verified.read(of, 'say');
  assert.equal(verified.recall(of, 'say'), null, 'the server could not have announced a change');
  of.news.hear(true);
  await verified.read(of, 'say');
  assert.equal(verified.recall(of, 'say')?.hash, first.hash);
  assert.equal(verified.recall(of, 'other'), null);
  of.change('two');
  of.news.changed();
  assert.equal(verified.recall(of, 'say'), null);
  assert.notEqual((await verified.read(of, 'say')).hash, first.hash);
  of.news.hear(false);
  assert.equal(verified.recall(of, 'say'), null);
  assert.equal((await verified.read(of, 'other')).hash, null);
});

test('an announcement during the list makes the list useless for later calls; so does the end of its time', async () => {
  const of = session();
  of.news.hear(true);
  const verified = verifiedTools(60_000);
  const reading = verified.read(of, 'say');
  of.news.changed();
  await reading;
  assert.equal(verified.recall(of, 'say'), null);
  const never = verifiedTools(0);
  await never.read(of, 'say');
  assert.equal(never.recall(of, 'say'), null);
  assert.equal(of.lists(), 2);
});
