import { execFile } from 'node:child_process';
import { access, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Mount } from '#runtime/boxes/box.ts';
import { managerUnavailable } from './errors.ts';
import { comparePep440, parsePep440 } from './pep440.ts';

/** The Python that installs packages and runs them. It must be the same one: wheels are chosen for it. */
export interface Python {
  path: string;
  /** `3.11.7`. */
  version: string;
  pip: string;
  /** Empty for a system Python, which every box sees; otherwise its folder, at the same path. */
  mounts: Mount[];
}

/** Wheels for this system, `--only-binary` and hashes work as used here since then. */
const OLDEST_PIP = '21.0';
const SYSTEM = ['/usr/bin/python3', '/usr/local/bin/python3'];
const ASK = `import json, sys
try:
    import pip
    pip_version = pip.__version__
except ImportError:
    pip_version = None
print(json.dumps([".".join(map(str, sys.version_info[:3])), sys.base_prefix, sys.prefix, pip_version]))`;

const run = promisify(execFile);

/** @throws Problem `packages.unavailable` (`manager_unavailable`) that names what to install. */
export async function findPython(operators: string | null): Promise<Python> {
  const candidates = operators === null ? SYSTEM : [operators];
  let reason = operators === null ? 'python3 is not installed.' : 'CAPSTAN_PYTHON cannot be run.';
  for (const path of candidates) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    const said = exists ? await ask(path) : null;
    if (said === null) continue;
    const [version, base, prefix, pip] = said;
    if (isCurrent(pip)) return { path, version, pip, mounts: await mountsOf(path, base, prefix) };
    reason = pip === null ? `${path} has no pip.` : `${path} has pip ${pip}, which is too old.`;
  }
  throw managerUnavailable(reason, `Install python3 with pip ${OLDEST_PIP} or newer, or set CAPSTAN_PYTHON.`);
}

type Said = readonly [version: string, base: string, prefix: string, pip: string | null];

async function ask(path: string): Promise<Said | null> {
  try {
    const { stdout } = await run(path, ['-I', '-c', ASK], { timeout: 20_000, env: {}, maxBuffer: 65_536 });
    return JSON.parse(stdout) as Said;
  } catch {
    return null;
  }
}

function isCurrent(pip: string | null): pip is string {
  const [have, oldest] = [parsePep440(pip ?? ''), parsePep440(OLDEST_PIP)];
  return have !== null && oldest !== null && comparePep440(have, oldest) >= 0;
}

/** Folders outside /usr are shown at their own path, because Python finds its library by it. */
async function mountsOf(path: string, base: string, prefix: string): Promise<Mount[]> {
  if (path.startsWith('/usr/')) return [];
  const wanted = [...new Set([base, prefix])].filter((dir) => dir !== '/usr' && !dir.startsWith('/usr/'));
  return Promise.all(wanted.map(async (dir) => ({ from: await realpath(dir), to: dir, writable: false })));
}
