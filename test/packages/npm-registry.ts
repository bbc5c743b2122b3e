import { createHash } from 'node:crypto';
import { type TarEntry, tarOf } from './archives.ts';
import { listenAt, type TestHost } from './listen-at.ts';

/** A registry on loopback that speaks npm's protocol: packuments with times and tarballs with integrity. */

export interface Release {
  version: string;
  /** Members of package.json beside name and version. */
  manifest?: Record<string, unknown>;
  files?: readonly TarEntry[];
  /** Days before now. */
  age_days?: number;
  /** Served instead of the tarball whose integrity the registry tells. */
  swapped?: Buffer;
  unpublished?: boolean;
}

export interface NpmRegistry {
  url: string;
  /** Paths that were asked for. */
  requests: string[];
  publish(name: string, ...releases: Release[]): void;
  /** Adds a file at a path. */
  serve(path: string, bytes: Buffer): void;
  /** Answers everything with this status from now on; null for normal answers. */
  fail(status: number | null): void;
  /** Answers 401 to requests without this header from now on; null for all. */
  protect(authorization: string | null): void;
  /** Tarballs are at this address from now on, where the registry redirects to. */
  redirectTarballs(to: string | null): void;
  /** A file at a path; null for none. */
  bytesAt(path: string): Buffer | null;
  /** SHA-256 of a published tarball. */
  sha256Of(name: string, version: string): string;
  close(): Promise<void>;
}

export async function openNpmRegistry(host?: TestHost): Promise<NpmRegistry> {
  const packages = new Map<string, Release[]>();
  const files = new Map<string, Buffer>();
  const requests: string[] = [];
  let failing: number | null = null;
  let wanted: string | null = null;
  let elsewhere: string | null = null;
  const { origin: url, close } = await listenAt(host, (request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    requests.push(path);
    if (failing !== null) return void response.writeHead(failing).end();
    if (wanted !== null && request.headers.authorization !== wanted) return void response.writeHead(401).end();
    if (elsewhere !== null && path.endsWith('.tgz'))
      return void response.writeHead(302, { location: `${elsewhere}/${path}` }).end();
    const file = files.get(path);
    if (file !== undefined) return void response.end(file);
    const releases = packages.get(path);
    if (releases === undefined) return void response.writeHead(404).end('{"error":"not found"}');
    response.setHeader('content-type', 'application/json').end(JSON.stringify(packumentOf(path, releases)));
  });
  const pathOf = (name: string, version: string) => `${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
  const tarballs = new Map<string, Buffer>();

  function packumentOf(name: string, releases: readonly Release[]) {
    const versions: Record<string, unknown> = {};
    const time: Record<string, string> = {};
    for (const { version, manifest = {}, age_days = 100, unpublished } of releases) {
      time[version] = new Date(Date.now() - age_days * 86_400_000).toISOString();
      if (unpublished) continue;
      const tarball = tarballs.get(pathOf(name, version)) as Buffer;
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const dist = { integrity, tarball: `${url}/${pathOf(name, version)}` };
      versions[version] = { name, version, ...manifest, dist };
    }
    const latest = Object.keys(versions).at(-1);
    return { _id: name, name, 'dist-tags': latest === undefined ? {} : { latest }, versions, time };
  }

  return {
    url,
    requests,
    publish: (name, ...releases) => {
      packages.set(name, releases);
      for (const { version, manifest = {}, files: own = [], swapped } of releases) {
        const document = JSON.stringify({ name, version, ...manifest });
        const entries = own.map((entry) => ({ ...entry, path: `package/${entry.path}` }));
        const tarball = tarOf([{ path: 'package/package.json', text: document }, ...entries]);
        tarballs.set(pathOf(name, version), tarball);
        files.set(pathOf(name, version), swapped ?? tarball);
      }
    },
    serve: (path, bytes) => void files.set(path, bytes),
    fail: (status) => {
      failing = status;
    },
    protect: (authorization) => {
      wanted = authorization;
    },
    redirectTarballs: (to) => {
      elsewhere = to;
    },
    bytesAt: (path) => files.get(path) ?? null,
    sha256Of: (name, version) =>
      createHash('sha256')
        .update(tarballs.get(pathOf(name, version)) as Buffer)
        .digest('hex'),
    close,
  };
}
