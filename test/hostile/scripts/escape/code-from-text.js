// tries: makes code from text by every constructor, to reach the host's own realm
// ends: completed
// says: END
const attempt = (what, act) => {
  try {
    const got = act();
    if (got && (got.mainModule || got.binding || got.kill || got.dlopen)) console.log('WORKED', what);
  } catch {}
};
const F = (() => {}).constructor;
const sources = ['return process', 'return this.process', 'return globalThis.process', 'return console.log.constructor("return process")()',
  'return process.constructor.constructor("return process")()', 'return require("process")'];
const makers = { Function: (s) => Function(s)(), constructor: (s) => F(s)(), evals: (s) => eval(`(() => { ${s} })()`), indirect: (s) => (0, eval)(`(() => { ${s} })()`),
  async: (s) => (async () => {}).constructor(s)(), generator: (s) => (function* () {}).constructor(s)().next().value, construct: (s) => Reflect.construct(F, [s])(),
  error: (s) => new Error().constructor.constructor(s)(), host: (s) => console.log.constructor(s)(), fs: (s) => require('fs').readFileSync.constructor(s)(),
  thrown: (s) => { try { require('fs').readFileSync('/nope'); } catch (error) { return error.constructor.constructor(s)(); } },
  promise: (s) => fetch('x').constructor.constructor(s)(), buffer: (s) => Buffer.from('').constructor.constructor(s)(), proto: (s) => ({}).__proto__.constructor.constructor(s)() };
for (const source of sources) for (const [what, make] of Object.entries(makers)) attempt(what, () => make(source));
for (const act of [() => setTimeout('x', 1), () => import('data:text/javascript,1'), () => require('vm').runInThisContext('process'),
  () => new Worker('data:text/javascript,1'), () => importScripts('@FILE@'), () => WebAssembly.instantiate(new Uint8Array(8)), () => new ShadowRealm().evaluate('1')])
  attempt('other', act);
Error.prepareStackTrace = (_, frames) => frames;
attempt('frames', () => new Error().stack[0].getThis());
attempt('callee', () => (function () { return arguments.callee.caller; })());
console.log('END');
