// tries: requires every module of the host and the inner doors of Node
// ends: completed
// says: END
const names = ['module', 'net', 'vm', 'worker_threads', 'http', 'https', 'http2', 'dns', 'dgram', 'tls', 'v8', 'inspector', 'cluster', 'wasi', 'sqlite', 'test', 'tty', 'repl',
  'perf_hooks', 'async_hooks', 'trace_events', 'sea', 'internal/bootstrap/loaders', '/workspace/skill/../../..@FILE@', '@FILE@', './evil.node', '__proto__', 'constructor'];
for (const name of names)
  for (const prefix of ['', 'node:'])
    try {
      const got = require(prefix + name);
      console.log('WORKED', prefix + name, typeof got);
    } catch {}
for (const act of [() => process.binding('fs').open, () => process._linkedBinding('fs').x, () => process.dlopen({ exports: {} }, '@FILE@').x, () => process.mainModule.require('fs'),
  () => module.constructor._load('net'), () => require.main.require('net'), () => require.cache, () => process.getBuiltinModule('fs').readFileSync, () => process.kill(@PID@, 9),
  () => process.abort(), () => process.chdir('/'), () => process.setuid(0), () => process.report.writeReport('@DIR@/new'), () => process.reallyExit(0), () => process.stdin.fd,
  () => postMessage({ type: 'end', exit_code: 0 }), () => self.close(), () => parentPort.postMessage(1), () => Atomics.notify(new Int32Array(new SharedArrayBuffer(8)), 0).x.y])
  try {
    const got = act();
    if (got !== undefined) console.log('WORKED', String(act));
  } catch {}
console.log('END');
