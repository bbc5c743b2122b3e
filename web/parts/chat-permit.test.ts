import assert from 'node:assert/strict';
import { test } from 'node:test';
import { permitCard } from './chat-permit.ts';

const step = (status: string, tool: string, input: string) => ({ status, tool, input }) as never;
const htmlOf = (...steps: never[]): string | null => permitCard(steps)?.html ?? null;

test('the one call that was refused is allowed with a button that says yes, and names what would run', () => {
  const run = step('refused', 'task_create', '{"capability":{"ref":"<b>x"},"input":{}}');
  assert.match(
    htmlOf(step('completed', 'registry_search', '{}'), run) ?? '',
    /Allow a run of <bdi>&lt;b&gt;x<\/bdi>\?/,
  );
  assert.match(htmlOf(run) ?? '', /name="message" value="yes"/);
  assert.match(
    htmlOf(step('refused', 'task_create', '{"capability":{"ref":"x…')) ?? '',
    /Allow <code>task_create<\/code>\?/,
  );
  assert.deepEqual([htmlOf(run, run), htmlOf(step('failed', 'task_create', '{}')), htmlOf()], [null, null, null]);
});
