// tries: finds the service's environment, paths and secrets in everything that can be reached from the global object
// ends: completed
// when: soak
// says: END
const seen = new Set();
const walk = (value, path, depth) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || depth > 6) return;
  seen.add(value);
  for (const key of [...Object.getOwnPropertyNames(value), ...Object.getOwnPropertySymbols(value)])
    try {
      const inner = value[key];
      if (typeof inner === 'string' && /canary|node_modules|@ENV@/.test(inner) && !/tries/.test(inner)) console.log('WORKED', path, String(key), inner.slice(0, 99));
      walk(inner, `${path}.${String(key)}`, depth + 1);
    } catch {}
  walk(Object.getPrototypeOf(value), `${path}.__proto__`, depth + 1);
};
walk(globalThis, 'global', 0);
walk(require('os'), 'os', 0);
console.log(process.env.@ENV@, JSON.stringify(process), new Error().stack);
try {
  null.x;
} catch (error) {
  console.log(error.stack);
}
try {
  require('fs').readFileSync('/nope');
} catch (error) {
  console.log(error.stack, error.message, JSON.stringify(error));
}
console.log(require('child_process').execSync('env; echo "$@ENV@"').toString());
console.log('END');
