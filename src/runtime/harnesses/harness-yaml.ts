import { quoted } from '#catalog/checks/violation.ts';
import { type Place, placesIn, START } from '#core/text/lines.ts';
import { type Path, readYamlMap } from '#core/yaml/read-yaml-map.ts';
import { textOf } from '#runtime/skills/frontmatter.ts';
import type { HarnessManifest } from './harness.ts';
import { readEnv, readInstructions, readPermissions, readSkills } from './manifest-lists.ts';
import { type Fault, type Reader, readerOf } from './manifest-reader.ts';
import { readServers } from './manifest-servers.ts';

/** Reads an untrusted harness.yaml: the manifest, or the errors with their places. Never throws. */

const HARNESS_YAML_LIMITS = { bytes: 32 * 1024, depth: 8 } as const;

const MANIFEST_KEYS = [
  ...(['version', 'kind', 'metadata', 'skills', 'mcp-servers', 'env', 'instructions', 'permissions'] as const),
];

interface ManifestFault extends Fault {
  place: Place;
}

export interface ManifestRead {
  /** The readable parts; null if the document is not a map. */
  manifest: HarnessManifest | null;
  faults: ManifestFault[];
  /** The position of a part in the file. */
  placeOf(path: Path): Place;
}

export function readHarnessYaml(bytes: Uint8Array): ManifestRead {
  const unreadable = (detail: string, place = START): ManifestRead => ({
    manifest: null,
    faults: [{ rule: 'manifest-yaml', path: [], detail: `harness.yaml ${detail}.`, place }],
    placeOf: () => START,
  });
  if (bytes.length > HARNESS_YAML_LIMITS.bytes) return unreadable(`is over ${HARNESS_YAML_LIMITS.bytes} bytes`);
  const text = textOf(bytes);
  if (text === null || text.includes('\0')) return unreadable('is not UTF-8 text');
  const placeAt = placesIn(text);
  const yaml = readYamlMap(text, HARNESS_YAML_LIMITS, 'content');
  if (!yaml.ok) return unreadable(yaml.detail, placeAt(yaml.offset));
  const placeOf = (path: Path): Place => placeAt(yaml.offsetOf(path));
  const reader = readerOf(yaml.value);
  const manifest = manifestOf(reader);
  return { manifest, faults: reader.faults.map((fault) => ({ ...fault, place: placeOf(fault.path) })), placeOf };
}

function manifestOf(reader: Reader): HarnessManifest {
  const { root, fault } = reader;
  reader.onlyKeys(root, [], MANIFEST_KEYS);
  if (root.version !== '1')
    fault(
      root.version === 1 ? 'manifest-version-unquoted' : 'manifest-version',
      ['version'],
      root.version === undefined ? 'version is missing.' : 'version must be the text "1".',
    );
  const kind = reader.text(['kind'], root.kind, 64) ?? '';
  if (root.kind === undefined) fault('manifest-form', ['kind'], 'kind is missing.');
  else if (kind !== '' && kind.toLowerCase() !== 'harness')
    fault('kind-unknown', ['kind'], `${quoted(kind)} is not the kind "harness".`);
  return {
    version: '1',
    kind,
    metadata: readMetadata(reader),
    skills: readSkills(reader),
    mcp_servers: readServers(reader),
    env: readEnv(reader),
    instructions: readInstructions(reader),
    permissions: readPermissions(reader),
  };
}

const METADATA_TEXTS = ['name', 'description', 'version', 'author', 'license', 'homepage'] as const;

function readMetadata(reader: Reader): HarnessManifest['metadata'] {
  const map = reader.map(['metadata'], reader.root.metadata) ?? {};
  reader.onlyKeys(map, ['metadata'], [...METADATA_TEXTS, 'tags']);
  const one = (key: (typeof METADATA_TEXTS)[number]) =>
    reader.text(['metadata', key], map[key], key === 'description' ? 1_024 : 500);
  return {
    name: one('name'),
    description: one('description'),
    version: one('version'),
    author: one('author'),
    license: one('license'),
    homepage: one('homepage'),
    tags: reader.texts(['metadata', 'tags'], map.tags, 100),
  };
}
