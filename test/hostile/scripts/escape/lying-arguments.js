// tries: calls the bridges to the host with getters, proxies, cycles, symbols, huge and negative numbers, odd buffers
// ends: output_exceeded, completed, failed, memory_exceeded
// when: soak
const fs = require('fs');
const cp = require('child_process');
const cycle = {};
cycle.self = cycle;
const proxy = new Proxy({}, { get: (_, key) => (key === 'length' ? 2 ** 40 : key === Symbol.toPrimitive ? () => '@FILE@' : proxy), has: () => true, ownKeys: () => ['a'.repeat(9999)] });
const values = [undefined, null, NaN, -1, 2 ** 53, 1e308, 10n ** 50n, Symbol('x'), '', '\0', '\ud800', 'x'.repeat(1e5), [], {}, cycle, proxy, () => '@FILE@', /x/, new Date(NaN),
  new Map([[1, 1]]), new Uint8Array(1e5), new SharedArrayBuffer(64), new DataView(new ArrayBuffer(8)), { length: -1 }, { length: 1e9 }, { toString: null }, { get x() { throw 1; } },
  { encoding: '@FILE@', flag: 'a+', mode: -1, recursive: proxy }, new Float64Array([1e308]), '/'.repeat(5000), '../'.repeat(5000) + '@FILE@'];
const bridges = [...Object.values(fs), ...Object.values(cp), fetch, console.log, Buffer.from, require];
for (const bridge of bridges)
  if (typeof bridge === 'function')
    for (let n = 0; n < values.length; n++)
      try {
        const got = bridge(values[n], values[(n * 7 + 3) % values.length], values[(n * 11 + 5) % values.length]);
        if (got && typeof got.then === 'function') got.then(() => {}, () => {});
      } catch {}
console.log('END');
