import { createHash } from 'node:crypto';
import { type ZipEntry, zipOf } from './archives.ts';
import { listenAt, type TestHost } from './listen-at.ts';

/** A simple index on loopback in both forms, JSON and HTML, with wheels made here. */

interface WheelRelease {
  version: string;
  /** `Requires-Dist`. */
  requires?: readonly string[];
  requires_python?: string;
  /** Console scripts by name. */
  scripts?: Readonly<Record<string, string>>;
  files?: readonly ZipEntry[];
  age_days?: number;
  yanked?: boolean;
  /** `sdist` serves a source archive instead. */
  kind?: 'wheel' | 'sdist';
  /** The hash that the index tells instead of the right one. */
  told_sha256?: string;
}

export interface PypiIndex {
  /** With `/simple`. */
  url: string;
  requests: string[];
  /** HTML has neither release times nor sizes. */
  form: 'json' | 'html';
  publish(name: string, ...releases: WheelRelease[]): void;
  /** Answers 401 to requests without this header from now on; null for all. */
  protect(authorization: string | null): void;
  /** Files are at this address from now on, where the index redirects to. */
  redirectFiles(to: string | null): void;
  /** A file by its name; null for none. */
  bytesAt(file: string): Buffer | null;
  sha256Of(name: string, version: string): string;
  close(): Promise<void>;
}

interface Listed {
  file: string;
  bytes: Buffer;
  release: WheelRelease;
}

export async function openPypiIndex(host?: TestHost): Promise<PypiIndex> {
  const projects = new Map<string, Listed[]>();
  const requests: string[] = [];
  let wanted: string | null = null;
  let elsewhere: string | null = null;
  const { origin, close } = await listenAt(host, (request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    requests.push(path);
    if (wanted !== null && request.headers.authorization !== wanted)
      return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    if (elsewhere !== null && path.startsWith('/files/'))
      return void response.writeHead(302, { location: `${elsewhere}${path}` }).end();
    const [, name = ''] = /^\/simple\/([^/]+)\/$/.exec(path) ?? [];
    const files = projects.get(name);
    if (files !== undefined) return void answerIndex(name, files, request.headers.accept ?? '');
    const [, file = ''] = /^\/files\/(.+)$/.exec(path) ?? [];
    const found = [...projects.values()].flat().find((each) => each.file === file);
    if (found === undefined) return void response.writeHead(404).end();
    response.setHeader('content-type', 'application/octet-stream').end(found.bytes);

    function answerIndex(project: string, listed: readonly Listed[], accept: string): void {
      if (index.form === 'json' && accept.includes('vnd.pypi.simple.v1+json')) {
        response.setHeader('content-type', 'application/vnd.pypi.simple.v1+json');
        response.end(JSON.stringify({ meta: { 'api-version': '1.1' }, name: project, files: listed.map(jsonOf) }));
      } else
        response
          .setHeader('content-type', 'text/html')
          .end(`<!DOCTYPE html><body>${listed.map(htmlOf).join('\n')}</body>`);
    }
  });
  const hashOf = ({ bytes, release }: Listed) =>
    release.told_sha256 ?? createHash('sha256').update(bytes).digest('hex');
  const jsonOf = (listed: Listed) => ({
    filename: listed.file,
    url: `${origin}/files/${listed.file}`,
    hashes: { sha256: hashOf(listed) },
    'requires-python': listed.release.requires_python ?? null,
    yanked: listed.release.yanked ?? false,
    'upload-time': new Date(Date.now() - (listed.release.age_days ?? 100) * 86_400_000).toISOString(),
  });
  const htmlOf = (listed: Listed) => {
    const python = listed.release.requires_python?.replaceAll('>', '&gt;');
    const attributes = python === undefined ? '' : ` data-requires-python="${python}"`;
    return `<a href="../../files/${listed.file}#sha256=${hashOf(listed)}"${attributes}>${listed.file}</a><br>`;
  };
  const index: PypiIndex = {
    url: `${origin}/simple`,
    requests,
    form: 'json',
    publish: (name, ...releases) => {
      projects.set(
        name,
        releases.map((release) => listedOf(name.replaceAll('-', '_'), release)),
      );
    },
    protect: (authorization) => {
      wanted = authorization;
    },
    redirectFiles: (to) => {
      elsewhere = to;
    },
    bytesAt: (file) => [...projects.values()].flat().find((each) => each.file === file)?.bytes ?? null,
    sha256Of: (name, version) => {
      const listed = projects.get(name)?.find(({ release }) => release.version === version) as Listed;
      return createHash('sha256').update(listed.bytes).digest('hex');
    },
    close,
  };
  return index;
}

function listedOf(name: string, release: WheelRelease): Listed {
  const { version, kind = 'wheel' } = release;
  if (kind === 'sdist') return { file: `${name}-${version}.tar.gz`, bytes: Buffer.from('source'), release };
  return { file: `${name}-${version}-py3-none-any.whl`, bytes: wheelOf(name, release), release };
}

function wheelOf(
  name: string,
  { version, requires = [], requires_python, scripts = {}, files = [] }: WheelRelease,
): Buffer {
  const info = `${name}-${version}.dist-info`;
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    ...(requires_python === undefined ? [] : [`Requires-Python: ${requires_python}`]),
    ...requires.map((each) => `Requires-Dist: ${each}`),
  ];
  const points = Object.entries(scripts).map(([script, target]) => `${script} = ${target}`);
  const entries: ZipEntry[] = [
    ...files,
    { path: `${info}/METADATA`, bytes: `${metadata.join('\n')}\n` },
    { path: `${info}/WHEEL`, bytes: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n' },
    ...(points.length === 0
      ? []
      : [{ path: `${info}/entry_points.txt`, bytes: `[console_scripts]\n${points.join('\n')}\n` }]),
  ];
  const record = [...entries.map(({ path }) => `${path},,`), `${info}/RECORD,,`].join('\n');
  return zipOf([...entries, { path: `${info}/RECORD`, bytes: `${record}\n` }]);
}
