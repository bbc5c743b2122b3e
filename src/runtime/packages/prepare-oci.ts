import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BOX_PATH } from '#runtime/boxes/command-line.ts';
import { ROOT_FILES, ROOT_FOLDERS } from '#runtime/boxes/image-root.ts';
import { digestRequired, entryNotFound, installTimeout, tooLarge } from './errors.ts';
import { type ImageName, parseImageName } from './image-name.ts';
import { openImageTree } from './image-tree.ts';
import { platformOf, readImageConfig, readManifest } from './oci-manifest.ts';
import { DIGEST, openOciRegistry } from './oci-registry.ts';
import type { PrepareDeps, PrepareRun, Unpacked } from './prepare.ts';

/**
 * OCI: an image by its digest, from a registry that the operator lists. Manifest, configuration and layers are checked by their
 * digests before they are read; the layers become one tree that the box shows as its root. The lock is the manifest itself, so its
 * SHA-256 is the digest of the image for this platform.
 */

const MOST_CONFIG = 4 * 1024 * 1024;

export async function prepareOci(deps: PrepareDeps, run: PrepareRun): Promise<Unpacked> {
  const { name, version } = run.ref;
  const image = parseImageName(name);
  if (!DIGEST.test(version)) throw digestRequired(version, name);
  const late = AbortSignal.timeout(deps.limits.timeout_ms);
  try {
    return await fetchImage(deps, run, image, AbortSignal.any([run.signal, late]));
  } catch (error) {
    if (late.aborted && !run.signal.aborted) throw installTimeout(name, deps.limits.timeout_ms);
    throw error;
  }
}

/** @throws Problem `packages.not_found` and as the registry's requests do. */
export function resolveImageTag(deps: PrepareDeps, request: { name: string; wanted: string; signal: AbortSignal }) {
  const registry = openOciRegistry(deps.oci, parseImageName(request.name), request.signal);
  return registry.digestOf(request.wanted === '' ? 'latest' : request.wanted);
}

async function fetchImage(
  { oci, limits }: PrepareDeps,
  run: PrepareRun,
  image: ImageName,
  signal: AbortSignal,
): Promise<Unpacked> {
  const { name, version } = run.ref;
  const registry = openOciRegistry(oci, image, signal);
  run.step('resolving');
  const first = await registry.manifest(version);
  const platform = platformOf(first, name, process.arch);
  const lock = platform === null ? first : await registry.manifest(platform);
  const manifest = readManifest(lock, name);
  if (manifest.layers.reduce((sum, { size }) => sum + size, 0) > limits.max_bytes)
    throw tooLarge(name, limits.max_bytes);
  run.step('fetching');
  const config = readImageConfig(await registry.blob(manifest.config, MOST_CONFIG), name);
  const root = join(run.dir, 'tree');
  await mkdir(root, { mode: 0o755 });
  const tree = openImageTree(root, { what: name, max_bytes: limits.max_bytes, max_files: limits.max_files });
  let received = 0;
  for (const [index, { digest, size, compression }] of manifest.layers.entries()) {
    const file = join(run.dir, `layer-${index}`);
    run.step('fetching', received);
    await registry.download(digest, {
      file,
      max_bytes: Math.min(size, limits.max_bytes),
      on_bytes: (bytes) => run.step('fetching', received + bytes),
    });
    received += size;
    run.step('checking');
    await tree.addLayer(file, compression, signal);
    await rm(file);
  }
  for (const folder of ROOT_FOLDERS) await tree.ensureFolder(folder);
  for (const file of ROOT_FILES) await tree.ensureFile(file);
  if (config.argv.length === 0) throw entryNotFound(`The image ${name}`, 'names no program to start.');
  const cwd = tree.kindOf(config.cwd) === 'folder' ? config.cwd : '/';
  const env = Object.assign({ PATH: BOX_PATH }, config.env);
  return {
    tree: root,
    lock,
    commands: { all: { server: { argv: config.argv, env, cwd } }, main: 'server' },
    inputs: [],
    mounts: [],
    scripts_skipped: [],
    locked: null,
  };
}
