// tries: pollutes every prototype and built-in, then calls the bridges to the host, and exits with a custom code
// ends: failed, timed_out, completed
// limits: {"timeout_ms":4000}
const fs = require('fs');
for (const name of ['path', 'op', 'type', 'encoding', 'flag', 'recursive', 'execArgv', 'env', 'shell', 'exit_code', 'then', 'toJSON', 'value', 'get', 'data', 'stdout', 'allowed'])
  try {
    Object.prototype[name] = name === 'then' ? undefined : '@FILE@';
  } catch {}
for (const [owner, name] of [[Array.prototype, 'push'], [Array.prototype, 'map'], [Array.prototype, 'join'], [String.prototype, 'startsWith'], [String.prototype, 'split'],
  [JSON, 'stringify'], [JSON, 'parse'], [Object, 'keys'], [Map.prototype, 'get'], [Promise.prototype, 'then'], [RegExp.prototype, 'exec'], [Uint8Array.prototype, 'set']]) {
  const was = owner[name];
  owner[name] = function (...args) {
    args[0] = typeof args[0] === 'string' ? '@FILE@' : args[0];
    return was.apply(this, args);
  };
}
Object.defineProperty(Object.prototype, 'exit_code', { get: () => 0, configurable: true });
for (const act of [() => fs.readFileSync('main'), () => fs.writeFileSync('/tmp/x', 'y'), () => fetch('http://127.0.0.1:@PORT@/'), () => require('child_process').execSync('cat @FILE@')])
  try {
    console.log(String(act()));
  } catch {}
globalThis.process = globalThis.console = undefined;
throw { get message() { return '@FILE@'; }, toString: () => { throw 1; }, stack: {} };
