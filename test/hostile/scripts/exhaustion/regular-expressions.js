// tries: an expression that takes exponential time
// ends: timed_out, failed
// when: soak
// limits: {"timeout_ms":900}
for (;;) /^(a+)+$/.test(`${'a'.repeat(60)}!`);
