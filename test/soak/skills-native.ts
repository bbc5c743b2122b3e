import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { readConfig } from '#core/config/config.ts';
import { defined } from '#core/defined.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import { inSpan, startTracing } from '#core/traces/tracing.ts';
import { skillOfFiles } from '#runtime/bundles/skill-of-files.ts';
import type { NativeScripts } from '#runtime/native/native-scripts.ts';
import { noNeeds, type SkillNeeds } from '#runtime/native/needs.ts';
import { openNativeScripts } from '#runtime/native/open-native-scripts.ts';
import { openRuntime } from '#runtime/packaged/open-runtime.ts';
import type { InstallDriver } from '#runtime/packages/install-box.ts';
import { OPERATOR } from '#runtime/runs/caller.ts';
import type { RunGiven } from '#runtime/runs/capability.ts';
import type { Outcome } from '#runtime/runs/result.ts';
import { EXECUTION_SETTINGS } from '#runtime/runs/settings.ts';
import { type SkillDeps, skillCapability } from '#runtime/runs/skill-capability.ts';
import { openSandbox } from '#runtime/sandbox/open-sandbox.ts';
import { languageOf, type Skill } from '#runtime/skills/skill.ts';
import { hostDriver } from '../packages/host-driver.ts';
import { runtimeFixture } from '../packages/runtime.ts';

/**
 * `CAPSTAN_NPM_REGISTRY=… [CAPSTAN_PYPI_INDEX=…] [CAPSTAN_PACKAGE_CA=…] npm run soak -- skills-native <folder> [<wheels>…]`: real
 * scripted skills, a folder with SKILL.md each. Where no index of PyPI can be reached, folders of real wheels are served as one on
 * loopback, from which pip downloads outside a box. Each is run once as the service does: its packages are accepted and installed, declared variables
 * get a value that means nothing, and no host is reachable. A script has started if its own code ran, whatever it said of its
 * arguments. Prints a Markdown table and the shares. Skills are never part of the repository.
 */

interface Row {
  name: string;
  script: string;
  needs: string;
  prepared: string;
  started: string;
}

const [folder, ...wheels] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name a folder of skills, each a folder with SKILL.md.');
/** What a language or a shell says if the script's own code could not begin. */
const NEVER_BEGAN =
  /ModuleNotFoundError|ImportError|No module named|Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|SyntaxError|command not found|could not load/;

const { CAPSTAN_NPM_REGISTRY, CAPSTAN_PACKAGE_CA } = process.env;
const served = wheels.length === 0 ? null : await serveWheels(wheels);
const CAPSTAN_PYPI_INDEX = served?.url ?? process.env.CAPSTAN_PYPI_INDEX;
if (CAPSTAN_NPM_REGISTRY === undefined) throw new Error('Set CAPSTAN_NPM_REGISTRY to the registry of this machine.');

await using fixture = runtimeFixture({
  CAPSTAN_NPM_REGISTRY,
  ...defined({ CAPSTAN_PYPI_INDEX, CAPSTAN_PACKAGE_CA }),
});
const host = hostDriver();
const runtime = await openRuntime(Object.assign({}, fixture.deps, { install: loopbackOnHost }));
const native: NativeScripts = openNativeScripts({
  policy: 'ask',
  openRuntime: async () => runtime,
  inPlace: (_share, _signal, work) => work(),
});
const sandbox = openSandbox(readConfig({ execution: EXECUTION_SETTINGS }, {}).execution);
const tracing = startTracing({ save: async () => {}, on_error: () => {} });
const rows: Row[] = [];
for (const path of skillsIn(folder)) {
  const row = await tried({ sandbox, prompt: null, native }, path);
  rows.push(row);
  process.stderr.write(`${row.name}: ${row.prepared}; ${row.started}\n`);
}
await tracing.close();
await sandbox.close();
await runtime.close();
await served?.close();

process.stdout.write(`Held by ${runtime.isolation}; Node ${process.version}.\n\n`);
process.stdout.write('| skill | script | needs | prepared | started |\n|---|---|---|---|---|\n');
for (const { name, script, needs, prepared, started } of rows)
  process.stdout.write(`| ${[name, script, needs, prepared, started].map(cell).join(' | ')} |\n`);
const measured = rows.filter(({ prepared }) => !prepared.startsWith('not measured'));
const running = measured.filter(({ started }) => started.startsWith('yes'));
process.stdout.write(
  `\n${rows.length} skills: ${running.length} of ${measured.length} started whose packages could be fetched; ${rows.length - measured.length} not measured.\n`,
);

/** No box is granted an address. */
function loopbackOnHost(boxes: InstallDriver): InstallDriver {
  const isLoopback = ({ egress }: Parameters<InstallDriver['start']>[0]) =>
    egress.mode === 'allow' && egress.hosts.some((grant) => grant.host === '127.0.0.1');
  return { start: (order) => (isLoopback(order) ? host.start(order) : boxes.start(order)) };
}

/** A simple index (PEP 503 and 691) of the wheels in these folders, as if each were old enough. */
async function serveWheels(folders: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  const files = new Map(
    folders.flatMap((each) =>
      readdirSync(each)
        .filter((name) => name.endsWith('.whl'))
        .map((name) => [name, join(each, name)]),
    ),
  );
  const projectOf = (name: string) => (name.split('-')[0] ?? '').toLowerCase().replace(/[._]+/g, '-');
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    const file = files.get(path.replace('/files/', ''));
    if (file !== undefined) return void createReadStream(file).pipe(response);
    const [, project = ''] = /^\/simple\/([^/]+)\/$/.exec(path) ?? [];
    const found = [...files].filter(([name]) => projectOf(name) === project);
    if (found.length === 0) return void response.writeHead(404).end();
    const listed = found.map(([name, place]) => ({
      filename: name,
      url: `${origin}/files/${encodeURIComponent(name)}`,
      hashes: { sha256: createHash('sha256').update(readFileSync(place)).digest('hex') },
      yanked: false,
      'upload-time': '2026-01-01T00:00:00.000Z',
    }));
    response.setHeader('content-type', 'application/vnd.pypi.simple.v1+json');
    response.end(JSON.stringify({ meta: { 'api-version': '1.1' }, name: project, files: listed }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `${origin}/simple`, close };
}

function skillsIn(root: string): string[] {
  return readdirSync(root)
    .toSorted()
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isDirectory() && readdirSync(path).includes('SKILL.md'));
}

function filesOf(root: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(root, path), readFileSync(path));
  }
  return files;
}

/** Skills with several scripts leave the choice to a model; here the first of them is run. */
function withEntry(skill: Skill): Skill {
  if (skill.entry !== null) return skill;
  const scripts = [...skill.contents.keys()].filter((path) => languageOf(path) !== undefined).toSorted();
  const path = scripts.find((each) => each.startsWith('scripts/')) ?? scripts[0];
  const language = path === undefined ? undefined : languageOf(path);
  if (path === undefined || language === undefined) return skill;
  return Object.assign({}, skill, { entry: { path, language }, execution_class: 'scripted' });
}

async function tried(on: SkillDeps, path: string): Promise<Row> {
  const name = relative(folder as string, path);
  const listed = { name, description: '', version: '1', license: '' };
  const skill = withEntry(skillOfFiles(filesOf(path), listed));
  const needs = native.needsOf(skill) ?? noNeeds();
  const row: Row = { name, script: skill.entry?.path ?? 'none', needs: shownNeeds(needs), prepared: '', started: 'no' };
  if (skill.entry === null) return { ...row, prepared: 'no script that could run' };
  const ecosystems = new Set(needs.packages.map(({ ecosystem }) => ecosystem));
  if (ecosystems.has('pypi') && CAPSTAN_PYPI_INDEX === undefined)
    return { ...row, prepared: 'not measured: needs PyPI' };
  const environment = Object.fromEntries(needs.environment.map((variable) => [variable, 'none-of-yours']));
  const given: RunGiven = { install: true, environment };
  const capability = skillCapability({ kind: 'listing', ref: name }, skill, on, OPERATOR, given);
  try {
    const unavailable = await capability.whyUnavailable();
    if (unavailable !== null) return { ...row, prepared: unavailable.detail };
    const outcome = await inSpan(tracing.tracer, null, 'run', {}, (span) =>
      capability.run({
        input: null,
        caller: { ...OPERATOR, share: OWN_SHARE },
        limits: { timeout_ms: 20_000, memory_mb: 512, output_bytes: 1_048_576 },
        tracing,
        span,
        record_content: false,
        signal: new AbortController().signal,
      }),
    );
    const missing = /^The Python package (\S+) does not exist/.exec(outcome.error ?? '')?.[1];
    if (served !== null && missing !== undefined)
      return { ...row, prepared: `not measured: no wheel of ${missing} here` };
    if (outcome.status === 'rejected') return { ...row, prepared: outcome.error ?? 'rejected' };
    const prepared = needs.packages.length > 0 ? 'installed and locked' : 'nothing to install';
    return { ...row, prepared, started: startedOf(outcome) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...row, prepared: `${error.code}: ${error.message}` };
  }
}

function startedOf({ status, stderr, stdout, error, environment }: Outcome): string {
  const [line = ''] = `${stderr}\n${stdout}`.trim().split('\n').slice(-1);
  const how = environment.isolation?.startsWith('native') === true ? 'natively' : 'in the sandbox';
  if (NEVER_BEGAN.test(stderr)) return `no, ${how}: ${NEVER_BEGAN.exec(stderr)?.[0]}: ${line.slice(0, 100)}`;
  return status === 'completed' ? `yes, ${how}: completed` : `yes, ${how}: ${line.slice(0, 100) || error}`;
}

function shownNeeds({ packages, programs, environment, native_modules, unknown_imports, refused }: SkillNeeds): string {
  const parts = [
    ...packages.map(({ ecosystem, name, wanted }) => `${ecosystem} ${name}${wanted}`),
    ...programs.map(({ any_of }) => `program ${any_of.join(' or ')}`),
    ...environment.map((name) => `variable ${name}`),
    ...native_modules.map((name) => `module ${name}`),
    ...unknown_imports.map(({ name }) => `unknown import ${name}`),
    ...refused.map(() => 'a requirement that is refused'),
  ];
  return parts.length === 0 ? 'nothing' : parts.slice(0, 8).join(', ');
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '/').slice(0, 160);
}
