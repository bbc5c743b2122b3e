// tries: promises that call themselves, so that nothing else gets its turn
// ends: timed_out, failed
// limits: {"timeout_ms":800}
const again = () => Promise.resolve().then(again);
again();
(async () => {
  for (;;) await null;
})();
