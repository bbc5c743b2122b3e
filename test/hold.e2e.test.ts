import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { judge } from './hold/case.ts';
import { floodVerdicts, namedCases } from './hold/rows.ts';
import { type HeldService, startHeld } from './hold/service.ts';

/**
 * What once stopped the service for everybody, at modest sizes, judged by the processor time of its serving thread.
 * `npm run soak -- hold` tries everything at full size.
 */
describe('large requests and the event loop', () => {
  let service: HeldService;
  before(async () => {
    service = await startHeld();
  });
  after(() => service[Symbol.asyncDispose]());

  const SCALE = 0.12;

  test('requests whose cost once grew with the square of their size do not block the event loop', async () => {
    for (const tried of await namedCases(service, SCALE)) {
      const { held, fault } = await judge(service, tried);
      assert.equal(fault, null, `${tried.name}: ${fault}, ${held.worst_ms} ms`);
    }
  });

  test('floods of pipelined requests and stalled readers do not grow memory beyond the limit', async () => {
    for (const { name, fault } of await floodVerdicts(service, SCALE)) assert.equal(fault, null, `${name}: ${fault}`);
  });
});
