// tries: files without end, and one that grows
// ends: timed_out, failed, memory_exceeded
// when: soak
// limits: {"timeout_ms":2000}
const fs = require('fs');
for (let n = 0; ; n++)
  try {
    fs.writeFileSync(`/workspace/output/${n}`, 'x');
    fs.mkdirSync(`/tmp/${n}/${n}`, { recursive: true });
    fs.appendFileSync('/tmp/big', 'x'.repeat(1e5));
  } catch {}
