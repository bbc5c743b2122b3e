import { imageInvalid, unsafeFiles, wantsRuntime } from './errors.ts';
import { isObject, jsonObject } from './npm-registry.ts';
import { DIGEST } from './oci-registry.ts';

/** Manifests and configurations of images (OCI Image Specification 1.1, and Docker's schema 2), read as untrusted data. */

export interface Layer {
  digest: string;
  /** Compressed size from the manifest. */
  size: number;
  compression: 'none' | 'gzip' | 'zstd';
}

interface ImageManifest {
  config: string;
  /** The lowest first. */
  layers: Layer[];
}

interface ImageConfig {
  argv: string[];
  env: Record<string, string>;
  /** Absolute. */
  cwd: string;
}

const MOST_LAYERS = 127;
const MOST_PLATFORMS = 200;
const MOST_WORDS = 500;
const MOST_TEXT = 32_768;
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const LAYERS: Readonly<Record<string, Layer['compression']>> = {
  'application/vnd.oci.image.layer.v1.tar': 'none',
  'application/vnd.oci.image.layer.v1.tar+gzip': 'gzip',
  'application/vnd.oci.image.layer.v1.tar+zstd': 'zstd',
  'application/vnd.docker.image.rootfs.diff.tar': 'none',
  'application/vnd.docker.image.rootfs.diff.tar.gzip': 'gzip',
};

/**
 * The digest of the image for this machine if the document is an index; null if it is a manifest.
 *
 * @throws Problem `packages.unsupported` (`wants_runtime`) if the image is for other platforms, `packages.unsupported` (`manifest_invalid`).
 */
export function platformOf(bytes: Buffer, what: string, arch: string): string | null {
  const document = documentOf(bytes, what);
  if (!Array.isArray(document.manifests)) return null;
  const wanted = ARCHITECTURES[arch] ?? arch;
  const found: string[] = [];
  for (const entry of document.manifests.slice(0, MOST_PLATFORMS)) {
    if (!isObject(entry) || !isObject(entry.platform) || typeof entry.digest !== 'string') continue;
    const { os, architecture } = entry.platform;
    if (os === 'linux' && architecture === wanted && DIGEST.test(entry.digest)) return entry.digest;
    if (os !== 'unknown') found.push(`${os}/${architecture}`);
  }
  throw wantsRuntime(`The image ${what}`, `${found.slice(0, 6).join(', ') || 'another platform'}, not linux/${wanted}`);
}

/** @throws Problem `packages.unsupported` (`manifest_invalid`). */
export function readManifest(bytes: Buffer, what: string): ImageManifest {
  const { config, layers } = documentOf(bytes, what);
  if (!isObject(config) || typeof config.digest !== 'string' || !DIGEST.test(config.digest))
    throw imageInvalid(what, 'its manifest names no configuration');
  if (!Array.isArray(layers) || layers.length === 0 || layers.length > MOST_LAYERS)
    throw imageInvalid(what, `its manifest must have 1 to ${MOST_LAYERS} layers`);
  return { config: config.digest, layers: layers.map((layer) => readLayer(layer, what)) };
}

function readLayer(layer: unknown, what: string): Layer {
  const { mediaType, digest, size } = isObject(layer) ? layer : {};
  const compression = typeof mediaType === 'string' ? LAYERS[mediaType] : undefined;
  if (compression === undefined)
    throw imageInvalid(what, `it has a layer of the type ${JSON.stringify(mediaType)?.slice(0, 80)}`);
  if (typeof digest !== 'string' || !DIGEST.test(digest) || !Number.isSafeInteger(size) || (size as number) < 0)
    throw imageInvalid(what, 'its manifest has a layer without digest or size');
  return { digest, size: size as number, compression };
}

/** @throws Problem `packages.unsupported` (`manifest_invalid`), `packages.unsupported` (`unsafe_files`) for variables that no environment can hold. */
export function readImageConfig(bytes: Buffer, what: string): ImageConfig {
  const { config } = documentOf(bytes, what);
  const { Entrypoint, Cmd, Env, WorkingDir } = isObject(config) ? config : {};
  const argv = [...words(Entrypoint, what), ...words(Cmd, what)];
  const env: Record<string, string> = {};
  for (const pair of words(Env, what)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(name))
      throw unsafeFiles(`The image ${what}`, 'it has an invalid variable');
    env[name] = value;
  }
  const cwd = typeof WorkingDir === 'string' && WorkingDir !== '' ? plainPath(WorkingDir, what) : '/';
  return { argv, env, cwd };
}

function words(value: unknown, what: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MOST_WORDS) throw imageInvalid(what, 'its configuration is malformed');
  const total = value.reduce((sum, word) => sum + (typeof word === 'string' ? word.length : MOST_TEXT), 0);
  if (total > MOST_TEXT || value.some((word) => word.includes('\0')))
    throw imageInvalid(what, 'its configuration is malformed');
  return value as string[];
}

function plainPath(path: string, what: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (!path.startsWith('/') || segments.includes('..') || path.length > 4_096)
    throw imageInvalid(what, 'its working directory is not an absolute path');
  return `/${segments.join('/')}`;
}

function documentOf(bytes: Buffer, what: string): Record<string, unknown> {
  const document = jsonObject(bytes.toString());
  if (document === null) throw imageInvalid(what, 'its manifest is not a JSON object');
  return document;
}
