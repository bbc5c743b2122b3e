import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginWork, type WorkOptions } from './turn-work.ts';

test('a step starts and fails normally, whatever value a model passes as a task id', () => {
  const events: string[] = [];
  const onEvent: WorkOptions['onEvent'] = ({ type }) => events.push(type);
  const work = beginWork({ onEvent } as WorkOptions);
  for (const id of [{ toString: 1 }, null, 7]) {
    const step = work.beginStep({ tool: 'task_start', input: { id } });
    step.failed({ code: 'agents.confirmation_required', message: 'x' } as never);
  }
  assert.deepEqual([work.at_work.size, work.steps.length, events.length], [0, 3, 6]);
});
