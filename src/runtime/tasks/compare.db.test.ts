import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

oneDatabase('comparing two runs', (open) => {
  test('200: differences of input and output by lines, and times; 409: other capabilities; 404: of another user', async () => {
    await using stand = await tasksStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const [first, second] = [
      await stand.start(as, 'echo', { text: 'one', more: 1 }),
      await stand.start(as, 'echo', { more: 1, text: 'two' }),
    ];
    for (const id of [first, second]) await stand.until(as, id, ['completed']);
    const compared = await stand.ask(as, 'GET', `/api/agents/tasks/${first}/compare/${second}`);
    assert.equal(compared.status, 200);
    const { runs, input, output } = compared.body as unknown as {
      runs: { id: string; duration_ms: number }[];
      input: { is_equal: boolean; lines: { lines: { kind: string; text: string }[] }[] };
      output: unknown;
    };
    assert.deepEqual(
      runs.map(({ id, duration_ms }) => [id, duration_ms >= 0]),
      [
        [first, true],
        [second, true],
      ],
    );
    const changed = input.lines.flatMap(({ lines }) => lines).filter(({ kind }) => kind !== 'same');
    assert.deepEqual(changed, [
      { kind: 'removed', text: '  "text": "one"' },
      { kind: 'added', text: '  "text": "two"' },
    ]);
    assert.deepEqual(output, input);
    const same = await stand.ask(as, 'GET', `/api/agents/tasks/${first}/compare/${first}`);
    assert.deepEqual(same.body.input, { is_equal: true, lines: [] });
    const listed = await stand.ask(as, 'GET', `/api/agents/tasks?same_as=${first}`);
    assert.deepEqual(
      listed.body.items?.map(({ id }) => id),
      [second, first],
    );
    const running = await stand.start(as, 'slow');
    const refused = await stand.ask(as, 'GET', `/api/agents/tasks/${first}/compare/${running}`);
    assert.deepEqual([refused.status, refused.body.reason], [409, 'not_comparable']);
    assert.equal((await stand.ask(other, 'GET', `/api/agents/tasks/${first}/compare/${second}`)).status, 404);
    await stand.ask(as, 'PUT', `/api/agents/tasks/${running}`, { status: 'cancelled' });
  });
});
