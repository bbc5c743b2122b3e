// tries: reads files of the host with every function of `fs`, by paths, buffers, addresses, descriptors and changing objects
// ends: completed
// when: soak
// says: END
const fs = require('fs');
const cp = require('child_process');
let turn = 0;
const changing = { toString: () => (turn++ % 2 ? '@FILE@' : '/workspace/skill/main'), length: 1 };
const paths = ['@FILE@', '../../../../../../..@FILE@', '/proc/self/root@FILE@', '/proc/1/root@FILE@', '/proc/@PID@/environ', '/proc/self/environ',
  '/proc/self/cwd/package.json', '/dev/fd/3', 'file://@FILE@', new URL('file://@FILE@'), Buffer.from('@FILE@'), changing, '@FILE@\0', '\0@FILE@',
  '/workspace/skill/../../..@FILE@', '//@FILE@', '/host@FILE@', '/etc/passwd', ['@FILE@'], { path: '@FILE@' }, 3, 4, 17, 20, -1, 0xffffffff];
fs.symlinkSync('@FILE@', 'link');
fs.symlinkSync('/', 'root');
paths.push('link', 'root@FILE@', './root/../..@FILE@');
for (const path of paths)
  for (const name of Object.keys(fs))
    if (/^(read|stat|lstat|readlink|realpath|exists)/.test(name))
      try {
        const got = fs[name](path, 'utf8');
        if (got && typeof got.then !== 'function') console.log(name, String(path), JSON.stringify(got));
      } catch {}
for (const path of ['@FILE@', 'link', 'root@FILE@'])
  for (const act of [() => fs.copyFileSync(path, '/workspace/output/stolen'), () => fs.renameSync(path, '/workspace/output/moved'),
    () => require(path), () => cp.execSync(`cat ${path}`), () => cp.spawnSync('cat', [path]).stdout])
    try {
      console.log(String(act()));
    } catch {}
console.log('END');
