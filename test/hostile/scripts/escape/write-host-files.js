// tries: writes, moves, links and deletes files of the host
// ends: completed
// when: soak
// says: END
const fs = require('fs');
for (const path of ['@DIR@/new', '../../../../../../..@DIR@/new', '/proc/self/root@DIR@/new', '@FILE@', '@DIR@', 3, 4, 17])
  for (const name of Object.keys(fs))
    if (/^(write|append|mkdir|rm|unlink|rename|copy|symlink|chmod)/.test(name))
      for (const args of [[path, 'evil'], ['/workspace/skill/main', path], [path, { recursive: true, force: true }], [path, 0o777]])
        try {
          fs[name](...args);
        } catch {}
for (const command of ['echo x > @DIR@/new', 'rm -rf @DIR@', 'cp main @DIR@/new'])
  try {
    require('child_process').execSync(command);
  } catch {}
console.log('END');
