import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { isTransportFailure } from '#core/outbound/failure.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { BOX_PATH } from '#runtime/boxes/command-line.ts';
import { BOX_NODE } from '#runtime/boxes/host.ts';
import {
  hashMismatch,
  hashRequired,
  manifestInvalid,
  nameInvalid,
  notFound,
  registryUnavailable,
  tooLarge,
  unpublished,
} from './errors.ts';
import { existsInside, readInside } from './inside.ts';
import { checkPython, readManifest } from './mcpb-manifest.ts';
import { PACKAGE_ROOT } from './package.ts';
import type { PrepareDeps, PrepareRun, Unpacked } from './prepare.ts';
import { unzip } from './unzip.ts';

/** MCPB: one zip with everything in it, named by its URL and checked by its hash before it is opened. */

const MOST_MANIFEST = 1024 * 1024;

export async function prepareMcpb(deps: PrepareDeps, run: PrepareRun): Promise<Unpacked> {
  const { name, sha256 } = run.ref;
  const url = URL.parse(name);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) throw nameInvalid(name, 'the https URL of a bundle');
  const what = `The bundle ${url.pathname.split('/').at(-1) || url.host}`;
  if (sha256 === null || !/^[0-9a-f]{64}$/i.test(sha256)) throw hashRequired(what);
  const file = join(run.dir, 'bundle.mcpb');
  run.step('fetching');
  const found = await download(deps, run, url, file);
  run.step('checking');
  if (found !== sha256.toLowerCase()) throw hashMismatch(what, sha256, found);
  const tree = join(run.dir, 'tree');
  await mkdir(tree);
  await unzip(file, tree, { what, max_bytes: deps.limits.max_bytes, max_files: deps.limits.max_files }, run.signal);
  const text = await readInside(tree, 'manifest.json', MOST_MANIFEST);
  if (text === null) throw manifestInvalid(what, 'the bundle has none');
  const manifest = readManifest(`${text}`, what, deps.node_version);
  const python = manifest.command === 'python' ? await deps.pypi.python(run.signal) : null;
  if (python !== null) checkPython(manifest, what, python.version);
  const program = manifest.command === 'node' ? BOX_NODE : (python?.path ?? manifest.command);
  const argv = [program, ...manifest.args];
  for (const argument of argv.slice(0, 2))
    if (argument.startsWith(`${PACKAGE_ROOT}/`) && !(await existsInside(tree, argument.slice(PACKAGE_ROOT.length + 1))))
      throw manifestInvalid(what, `it starts ${argument.slice(PACKAGE_ROOT.length + 1)}, which is not in the bundle`);
  const env = Object.assign({ PATH: BOX_PATH }, python === null ? {} : { PYTHONDONTWRITEBYTECODE: '1' }, manifest.env);
  return {
    tree,
    lock: Buffer.from(`sha256:${found} ${url.href}\n`),
    commands: { all: { server: { argv, env, cwd: '/tmp' } }, main: 'server' },
    inputs: manifest.inputs,
    mounts: python?.mounts ?? [],
    scripts_skipped: [],
    locked: null,
  };
}

/** Streams the bundle to disk and returns its hash. */
async function download(deps: PrepareDeps, run: PrepareRun, url: URL, path: string): Promise<string> {
  const { timeout_ms, max_bytes } = deps.limits;
  const explained = (error: unknown) => (error instanceof Problem ? failureOf(error, url, max_bytes) : error);
  const answer = await deps.outbound(url, { signal: run.signal, timeout_ms, max_bytes }).catch((error) => {
    throw explained(error);
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    if (answer.status === 410) throw unpublished(`The bundle ${url.href}`);
    if (answer.status === 404) throw notFound(`The bundle ${url.href}`, 'Check the URL in the listing.');
    throw registryUnavailable(url.host, `status ${answer.status}`);
  }
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      await file.write(chunk);
      run.step('fetching', bytes);
    }
  } catch (error) {
    throw explained(error);
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

function failureOf(problem: Problem, url: URL, maxBytes: number): Problem {
  if (isProblem(problem, 'outbound.failed', 'too_large')) return tooLarge(`The bundle at ${url.host}`, maxBytes);
  return isTransportFailure(problem) ? registryUnavailable(url.host, problem.reason ?? 'timeout', problem) : problem;
}
