import { accessDenied, notFound, registryUnavailable } from './errors.ts';
import { isObject, jsonObject } from './npm-registry.ts';
import { parseFileName, sameVersion } from './pypi-names.ts';
import { askRegistry, type RegistryFetch } from './registry-fetch.ts';

/** The simple index of PyPI: JSON (PEP 691, with release times of PEP 700) or HTML (PEP 503). */

export interface IndexFile {
  /** File name. */
  file: string;
  url: URL;
  version: string;
  wheel: boolean;
  /** Hexadecimal; "" if the index has none. */
  sha256: string;
  /** "" is any. */
  requires_python: string;
  yanked: boolean;
  /** Milliseconds; undefined if the index has none. */
  uploaded_ms: number | undefined;
}

const ACCEPT = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';
const MOST_FILES = 50_000;

/**
 * The wheels and source archives of a project.
 *
 * @throws Problem `packages.not_found`, `packages.forbidden` (`access_denied`), `packages.failed` (`registry_unavailable`).
 */
export async function readIndex(
  fetch: RegistryFetch,
  index: string,
  name: string,
  signal: AbortSignal,
): Promise<IndexFile[]> {
  const url = `${index}/${name}/`;
  const { status, type, text } = await askRegistry(fetch, url, ACCEPT, signal);
  if (status === 401 || status === 403) throw accessDenied(`the Python package ${name}`, 'CAPSTAN_PYPI_NETRC');
  if (status !== 200) throw notFound(`The Python package ${name}`, 'Check the name in the listing.');
  const files = type.includes('json') ? parseJsonIndex(text, url, name) : parseHtmlIndex(text, url, name);
  if (files === null) throw registryUnavailable(new URL(index).host, 'the response is not a package index');
  return files;
}

/** The files of one version. @throws Problem `packages.not_found`. */
export function filesOf(files: readonly IndexFile[], version: string, name: string): IndexFile[] {
  const found = files.filter((file) => sameVersion(file.version, version));
  if (found.length === 0) throw notFound(`${name} ${version}`, 'Choose a version that the index lists.');
  return found;
}

/** Null if it is not an index in JSON. */
function parseJsonIndex(text: string, base: string, name: string): IndexFile[] | null {
  const listed = jsonObject(text)?.files;
  if (!Array.isArray(listed)) return null;
  return listed.slice(0, MOST_FILES).flatMap((each) => {
    if (!isObject(each) || typeof each.filename !== 'string' || typeof each.url !== 'string') return [];
    const hashes = isObject(each.hashes) ? each.hashes : {};
    const uploadedMs = typeof each['upload-time'] === 'string' ? Date.parse(each['upload-time']) : Number.NaN;
    return fileOf({
      name,
      file: each.filename,
      url: URL.parse(each.url, base),
      sha256: typeof hashes.sha256 === 'string' ? hashes.sha256.toLowerCase() : '',
      requires_python: typeof each['requires-python'] === 'string' ? each['requires-python'] : '',
      yanked: each.yanked !== undefined && each.yanked !== false,
      uploaded_ms: Number.isFinite(uploadedMs) ? uploadedMs : undefined,
    });
  });
}

/** The links of an index page, found in one pass. */
export function parseHtmlIndex(text: string, base: string, name: string): IndexFile[] {
  const found: IndexFile[] = [];
  let at = 0;
  while (found.length < MOST_FILES) {
    const start = text.indexOf('<a ', at);
    const end = start === -1 ? -1 : text.indexOf('>', start);
    if (end === -1) return found;
    at = end + 1;
    // Longer tags are not of an index.
    if (end - start > 8_192) continue;
    const attributes = attributesOf(text.slice(start + 2, end));
    const url = URL.parse(attributes.get('href') ?? '', base);
    if (url === null) continue;
    const file = decoded(url.pathname.split('/').at(-1) ?? '');
    const [, sha256 = ''] = /^#sha256=([0-9a-f]{64})\b/i.exec(url.hash) ?? [];
    found.push(
      ...fileOf({
        name,
        file,
        url,
        sha256: sha256.toLowerCase(),
        requires_python: attributes.get('data-requires-python') ?? '',
        yanked: attributes.has('data-yanked'),
        uploaded_ms: undefined,
      }),
    );
  }
  return found;
}

type Listed = Omit<IndexFile, 'url' | 'version' | 'wheel'> & { name: string; url: URL | null };

function fileOf({ name, file, url, sha256, requires_python, yanked, uploaded_ms }: Listed): IndexFile[] {
  const parsed = parseFileName(file);
  if (parsed === null || parsed.name !== name || url === null || !['http:', 'https:'].includes(url.protocol)) return [];
  return [{ file, url, version: parsed.version, wheel: parsed.wheel, sha256, requires_python, yanked, uploaded_ms }];
}

function attributesOf(tag: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single] of tag.matchAll(/\s([a-z-]{1,40})(?:="([^"]*)"|='([^']*)')?/gi))
    found.set(name.toLowerCase(), unescaped(double ?? single ?? ''));
  return found;
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
};

const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => ENTITIES[entity] ?? '');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
