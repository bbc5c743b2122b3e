import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trace } from '@opentelemetry/api';
import fc from 'fast-check';
import { readTraceparent, traceparentOf } from './traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const GOOD = `00-${TRACE}-${SPAN}-01`;

test('a valid traceparent is read as a remote span context', () => {
  assert.deepEqual(readTraceparent(GOOD), { traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true });
  assert.equal(readTraceparent(`00-${TRACE}-${SPAN}-02`)?.traceFlags, 0);
  assert.equal(readTraceparent(`00-${TRACE}-${SPAN}-ff`)?.traceFlags, 1);
});

test('a traceparent of a later version may have more fields, one of version 00 may not', () => {
  for (const header of [`cc-${TRACE}-${SPAN}-01`, `01-${TRACE}-${SPAN}-01-what-comes`, `01-${TRACE}-${SPAN}-01-`])
    assert.equal(readTraceparent(header)?.traceId, TRACE, header);
  for (const header of [`${GOOD}-more`, `${GOOD}-`, `01-${TRACE}-${SPAN}-01.x`, `01-${TRACE}-${SPAN}-0100`])
    assert.equal(readTraceparent(header), null, header);
});

test('a malformed traceparent is ignored', () => {
  const zeros = '0'.repeat(32);
  for (const header of [
    undefined,
    null,
    '',
    ' ',
    'x',
    [GOOD, GOOD],
    `${GOOD}, ${GOOD}`,
    ` ${GOOD}`,
    `${GOOD} `,
    `${GOOD}\n`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${zeros}-${SPAN}-01`,
    `00-${TRACE}-${zeros.slice(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `0-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}${SPAN}-01`,
    `00_${TRACE}_${SPAN}_01`,
    `01-${TRACE}-${SPAN}-01-${'x'.repeat(600)}`,
  ])
    assert.equal(readTraceparent(header), null, JSON.stringify(header));
});

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));

test('a sent traceparent can be parsed, and changing any character gives another context or none', () => {
  const context = fc.record({ traceId: hex(32), spanId: hex(16), traceFlags: fc.constantFrom(0, 1) });
  const valid = context.filter((entry) => !/^0+$/.test(entry.traceId) && !/^0+$/.test(entry.spanId));
  fc.assert(
    fc.property(
      valid,
      fc.nat(54),
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
      (args, at, char) => {
        const header = traceparentOf(trace.wrapSpanContext(args));
        assert.deepEqual(readTraceparent(header), { ...args, isRemote: true });
        const changed = `${header.slice(0, at)}${char}${header.slice(at + 1)}`;
        const read = readTraceparent(changed);
        if (changed !== header && read !== null && at >= 3 && at < 52)
          assert.notDeepEqual(read, { ...args, isRemote: true });
        if (!/[0-9a-f-]/.test(char)) assert.equal(read, null);
      },
    ),
  );
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => assert.equal(readTraceparent(text), null)));
});
