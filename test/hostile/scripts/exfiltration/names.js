// tries: names with lone surrogates, inherited property names, and invalid text
// when: soak
// ends: completed
// says: END
const fs = require('fs');
const out = '/workspace/output/';
for (const name of ['plain', '__proto__', 'constructor', '\ud800', 'x\udc00', 'a\u0000b', '\u001b[2J', '\u202egnp.exe', 'x'.repeat(2000), '..\\up', 'C:x', '../../up', '\u2029'])
  try {
    fs.writeFileSync(out + name, 'x');
  } catch {}
console.log('\ud800 \u0000 \udfff');
console.error('\ud800');
console.log('END');
