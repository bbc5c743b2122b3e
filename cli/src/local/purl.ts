import type { Launch } from '../../../src/catalog/install/launches.ts';
import { usage } from '../failure.ts';

/** Package URLs (purl), which name a package without a listing. Pure. */

const FORM = /^pkg:(npm|pypi|oci|generic)\/([^@?#]+|@[^@?#]+)(?:@([^?#]+))?(?:\?([^#]+))?$/;

export function launchOfPurl(text: string): Launch {
  const [, type, name, version, query] = FORM.exec(text) ?? [];
  if (type === undefined || name === undefined) throw wrong(text);
  const decoded = { name: decode(name, text), version: decode(version ?? '', text), query: new URLSearchParams(query) };
  return {
    package: sourceOf(type, decoded, text),
    runtime_hint: '',
    transport: 'stdio',
    endpoint: null,
    runtime_arguments: [],
    package_arguments: [],
    env: [],
    hosts: [],
    no_network: false,
    volumes: [],
    user: '',
  };
}

function sourceOf(
  type: string,
  { name, version, query }: { name: string; version: string; query: URLSearchParams },
  text: string,
): Launch['package'] {
  const plain = { file_sha256: '', registry_base_url: '' };
  if (type === 'npm' || type === 'pypi') return { registry_type: type, identifier: name, version, ...plain };
  if (type === 'oci') {
    const image = query.get('repository_url') ?? name;
    const at = version.startsWith('sha256:') ? '@' : ':';
    return {
      registry_type: type,
      identifier: version === '' ? image : `${image}${at}${version}`,
      version: '',
      ...plain,
    };
  }
  const url = query.get('download_url') ?? '';
  const [, file_sha256] = /^sha256:([0-9a-f]{64})$/i.exec(query.get('checksum') ?? '') ?? [];
  if (url === '' || file_sha256 === undefined) throw wrong(text);
  return { registry_type: 'mcpb', identifier: url, version, file_sha256, registry_base_url: '' };
}

function decode(part: string, text: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong(text);
  }
}

const wrong = (text: string) =>
  usage(
    `Invalid package URL: ${text}.`,
    'Use pkg:npm/<name>@<version>, pkg:pypi/<name>@<version>, pkg:oci/<name>@<tag or digest>?repository_url=<image>, ' +
      'or pkg:generic/<name>?download_url=<url>&checksum=sha256:<hex> for a bundle.',
  );
