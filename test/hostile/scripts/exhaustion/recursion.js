// tries: recursion without end in calls, getters, proxies, JSON, sorting, arrays and the parser
// ends: completed, failed, memory_exceeded, timed_out
// when: soak
// limits: {"timeout_ms":4000}
const attempt = (act) => {
  try {
    act();
  } catch (error) {
    console.log(error && error.name);
  }
};
const f = () => f() + 1;
attempt(f);
const p = new Proxy({}, { get: (_, key, self) => self[key] });
attempt(() => p.x);
let deep = [];
for (let n = 0; n < 1e5; n++) deep = [deep];
attempt(() => JSON.stringify(deep));
attempt(() => JSON.parse('['.repeat(1e6)));
attempt(() => String(deep));
attempt(() => console.log(deep));
attempt(() => new RegExp('('.repeat(1e5)));
attempt(() => require('child_process').execSync('f() { f; }; f'));
attempt(() => 'x'.replace(/x/, () => f()));
