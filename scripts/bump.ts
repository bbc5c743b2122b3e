import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Change, nextVersion, parseChange, withSection } from './changesets.ts';

/**
 * `npm run bump` moves the changes of `.changeset/` into `CHANGELOG.md` under the next version and writes that version wherever it is
 * named. `npm run bump -- X.Y.Z` chooses the version.
 */

/** Every place that names the version; the first group stays, and so does what follows the version. */
export const PLACES: [file: string, place: RegExp][] = [
  ['package.json', /(^ {2}"version": ")[^"]+/m],
  ['sdk/package.json', /(^ {2}"version": ")[^"]+/m],
  ['cli/package.json', /(^ {2}"version": ")[^"]+/m],
  ['package-lock.json', /(^ {2}"version": ")[^"]+/m],
  ['package-lock.json', /("packages": \{\s+"": \{\s+"name": "capstan",\s+"version": ")[^"]+/],
  ['package-lock.json', /("name": "@capstan\/sdk",\s+"version": ")[^"]+/],
  ['package-lock.json', /("name": "@capstan\/cli",\s+"version": ")[^"]+/],
  ['src/core/service.ts', /(^ {2}version: ')[^']+/m],
  ['cli/src/version.ts', /(export const VERSION = ')[^']+/],
  ['compose.yaml', /(image: capstan:)\S+/],
  ['docs/guides/install.md', /(npm install capstan-)\d+\.\d+\.\d+/],
  ['docs/guides/packages.md', /( capstan:)\d+\.\d+\.\d+/],
  ['deploy/helm/capstan/Chart.yaml', /(^version: )\S+/m],
  ['deploy/helm/capstan/Chart.yaml', /(^appVersion: )\S+/m],
  ['deploy/kubernetes/deployment.yaml', /(image: capstan:)\S+/],
  ['deploy/kubernetes/deployment.yaml', /(value: 'capstan:)[^']+/],
];

/** The version that each place names; null where a place is gone. */
export const versionsIn = (root: string): [place: string, version: string | null][] =>
  PLACES.map(([file, place]) => {
    const found = place.exec(readFileSync(join(root, file), 'utf8'));
    return [`${file} ${place}`, found === null ? null : found[0].slice(found[1]?.length)];
  });

/** Writes the version, moves the changes, and returns what was written. Throws where a change is malformed. */
export function bump(root: string, date: string, chosen?: string): { version: string; changes: number } {
  const files = globSync('.changeset/*.md', { cwd: root })
    .filter((path) => basename(path) !== 'README.md')
    .sort();
  const changes: Change[] = files.map((path) => parseChange(path, readFileSync(join(root, path), 'utf8')));
  if (changes.length === 0) throw new Error('There is no change in .changeset/.');
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const version = chosen ?? nextVersion(current, changes);
  for (const [file, place] of PLACES) {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    if (!place.test(text)) throw new Error(`${file} does not name the version where ${place} looks for it.`);
    writeFileSync(
      path,
      text.replace(place, (_, before: string) => before + version),
    );
  }
  const changelog = join(root, 'CHANGELOG.md');
  writeFileSync(changelog, withSection(readFileSync(changelog, 'utf8'), `${version}, ${date}`, changes));
  for (const path of files) rmSync(join(root, path));
  return { version, changes: changes.length };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [chosen] = process.argv.slice(2);
  if (chosen !== undefined && !/^\d+\.\d+\.\d+$/.test(chosen)) {
    process.stderr.write('usage: npm run bump [-- X.Y.Z]\n');
    process.exit(2);
  }
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { version, changes } = bump(root, new Date().toISOString().slice(0, 10), chosen);
  process.stdout.write(`${version} with ${changes} changes. Now run: npm run -s capstand -- schema --write\n`);
}
