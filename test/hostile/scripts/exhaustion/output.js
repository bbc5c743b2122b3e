// tries: one gigabyte of output in one call and in many
// ends: output_exceeded, timed_out, memory_exceeded
// when: soak
// limits: {"timeout_ms":4000}
try {
  console.log('x'.repeat(2e7));
} catch {}
for (;;) console.log('x'.repeat(1000)), console.error('y');
