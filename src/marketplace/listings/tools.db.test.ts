import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryGetListing } from '#catalog/items/tools/registry-get-listing.ts';
import { oneDatabase } from '#test/databases.ts';
import { publishingStand } from '#test/publishing-stand.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';
import { readOwn } from './read-own.ts';
import { marketplaceTools } from './tools.ts';

oneDatabase('publish and unpublish as tools', (open) => {
  test('the tools publish, show and unpublish a listing, each with the next call', async () => {
    const stand = publishingStand(await open());
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const tools = marketplaceTools(stand.deps);
    const order = stand.orderOf({ name: 'ana-lang/words' });
    const dry = await runTool(tools, 'publish', { ...order, dry_run: true }, toolCall(ana.id));
    assert.deepEqual([dry.structured.published, dry.structured.next.tool], [false, 'publish']);
    const { structured, text } = await runTool(tools, 'publish', order, toolCall(ana.id));
    const { id } = structured;
    assert.deepEqual(structured.next.arguments.capability, { kind: 'capability', ref: id, version: '1.0.0' });
    assert.match(text, /^Published ana-lang\/words 1\.0\.0, id .*Unclaimed.*\nNext: task_create /s);
    assert.ok(text.length < 1_000);
    const read = registryGetListing({ readOwn: readOwn(stand) } as never);
    const shown = await runTool([read], 'registry_get_listing', { provider: 'capstan', external_id: id });
    assert.deepEqual([shown.structured.name, shown.structured.next.tool], ['ana-lang/words', 'task_create']);
    assert.deepEqual([shown.structured.verification.level, shown.structured.verification.receipts], ['checked', 0]);
    const gone = { id, reason: 'Mine no more.' };
    await assert.rejects(runTool(tools, 'unpublish', gone, toolCall(bob.id)), {
      code: 'marketplace.forbidden',
      reason: 'publisher_only',
    });
    const taken = await runTool(tools, 'unpublish', gone, toolCall(ana.id));
    assert.deepEqual([taken.structured.status, taken.structured.next.tool], ['unpublished', 'publish']);
    await assert.rejects(runTool([read], 'registry_get_listing', { provider: 'capstan', external_id: id }), {
      code: 'marketplace.gone',
    });
  });

  test('marketplace_search returns hits with sources and the next call, and quotes untrusted text', async () => {
    const stand = publishingStand(await open());
    const tools = marketplaceTools(stand.deps);
    const ask = (query: string) => runTool(tools, 'marketplace_search', { query });
    assert.match((await ask('words')).text, /^Nothing matches "words"/);
    const id = await stand.published(await stand.newPerson(), { name: 'ana-lang/word-counter' });
    const { structured, text } = await ask('cuonter " submarine');
    assert.deepEqual(structured.corrected, [{ from: 'cuonter', to: 'counter' }]);
    assert.deepEqual(structured.items[0].next, {
      tool: 'registry_get_listing',
      arguments: { provider: 'capstan', external_id: id },
    });
    assert.deepEqual([structured.items[0].verification, structured.next_offset], ['checked', null]);
    assert.match(
      text,
      /^1 match, best first\. "cuonter" was corrected to "counter"\. No match for "submarine"\. .*\n1\. "ana-lang/s,
    );
  });
});
