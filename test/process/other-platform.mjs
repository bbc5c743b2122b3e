import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Preloaded into the program: what only Linux has is not there, and on Windows neither is what only POSIX has. It cannot show that the
 * program works there, but that its start needs none of it.
 */

const platform = process.env.TEST_PLATFORM;
Object.defineProperty(process, 'platform', { value: platform });
if (platform === 'win32')
  for (const name of ['getuid', 'getgid', 'geteuid', 'getegid', 'getgroups', 'setuid', 'setgid']) delete process[name];

const LINUX_ONLY = /^\/(?:proc|sys)(?:\/|$)|^\/usr\/bin\/bwrap$/;

function without(real) {
  return Object.assign((path, ...rest) => {
    if (LINUX_ONLY.test(String(path)))
      throw Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), { code: 'ENOENT' });
    return real(path, ...rest);
  }, real);
}

const SYNC = ['readFileSync', 'readdirSync', 'statSync', 'lstatSync', 'openSync', 'readlinkSync', 'statfsSync', 'accessSync'];
for (const name of SYNC) fs[name] = without(fs[name]);
for (const name of ['readFile', 'readdir', 'stat', 'lstat', 'open', 'readlink', 'access']) {
  const real = without(promises[name]);
  promises[name] = async (...given) => real(...given);
}
const { existsSync } = fs;
fs.existsSync = (path) => !LINUX_ONLY.test(String(path)) && existsSync(path);
syncBuiltinESMExports();
