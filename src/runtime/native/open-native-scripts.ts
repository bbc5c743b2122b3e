import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { defined } from '#core/defined.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import { egressOf } from '#runtime/packaged/host-grants.ts';
import type { Runtime } from '#runtime/packaged/runtime.ts';
import { lockChanged, lockTooLarge } from '#runtime/packages/errors.ts';
import type { PackageSet, PreparedSet, PrepareStep } from '#runtime/packages/package.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import {
  type Ecosystem,
  listPackages,
  type NativeHeld,
  type NativeOrder,
  type NativeQuestion,
  type NativeRan,
  type NativeRefusal,
  type NativeScripts,
} from './native-scripts.ts';
import { isSelfContained, packagesDigest, type SkillNeeds } from './needs.ts';
import { isSecretVariable } from './secret-variable.ts';
import { needsOfSkill } from './skill-needs.ts';

interface NativeScriptsDeps {
  /** `off`: never. `ask`: packages are installed for callers that accept it. `allow`: for every caller. */
  policy: 'off' | 'ask' | 'allow';
  /** @throws Problem `runs.unavailable` (`box_unavailable`) that explains why boxes are not available here. */
  openRuntime(): Promise<Runtime>;
  /** Waits for a free place among the boxes and occupies it during the run. */
  inPlace<T>(share: Share, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

const MOST_KEPT = 500;
const BINARIES = ['/usr/local/bin', '/usr/bin', '/bin'];
/** Every box has them. */
const ALWAYS = new Set(['node', 'bash', 'sh']);

export function openNativeScripts({ policy, openRuntime, inPlace }: NativeScriptsDeps): NativeScripts {
  const kept = new LRUCache<string, { needs: SkillNeeds | null }>({ max: MOST_KEPT });
  return {
    needsOf: (skill) => {
      const known = kept.get(skill.digest);
      if (known !== undefined) return known.needs;
      const found = needsOfSkill(skill, recordOf(skill.frontmatter.metadata));
      const needs = isSelfContained(found) ? null : found;
      kept.set(skill.digest, { needs });
      return needs;
    },
    whyUnavailable: async (skill, needs, held) => {
      const refusal = refusalOf(skill, needs, policy, held);
      if (refusal !== null) return refusal;
      // Only the first thread starts boxes, and it runs the tasks.
      if (!isMainThread) return null;
      try {
        await openRuntime();
        return null;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return { reason: 'unsupported', detail: `${skill.name} needs a native run. ${error.message}` };
      }
    },
    run: (order) => inPlace(order.share, order.signal, async () => runIn(await openRuntime(), order)),
  };
}

/** Checks the files and this machine before anything is opened. */
function refusalOf(
  { name }: Skill,
  needs: SkillNeeds,
  policy: NativeScriptsDeps['policy'],
  held: NativeHeld,
): NativeRefusal | null {
  const { packages, programs, environment, unknown_imports, refused } = needs;
  if (policy === 'off')
    return refuse('unsupported', `${name} needs a native run, which is off here (CAPSTAN_SKILL_PACKAGES=off).`);
  if (refused.length > 0)
    return refuse(
      'unsupported',
      `${name} declares requirements that cannot be installed here. ${refused.slice(0, 3).join(' ')}`,
    );
  const [unknown] = unknown_imports;
  if (unknown !== undefined)
    return refuse(
      'unsupported',
      `${name} imports "${unknown.name}" (${unknown.file}) without declaring a package for it. Its author can declare it in requirements.txt, package.json or the script's metadata.`,
    );
  const missing = programs.filter(({ any_of }) => !any_of.some(isInstalled)).map(({ any_of }) => any_of.join(' or '));
  if (missing.length > 0)
    return refuse(
      'unsupported',
      `${name} needs ${missing.join(', ')}, which this machine does not have. An operator can install it.`,
    );
  const absent = environment.filter((variable) => !held.names.has(variable));
  const unaccepted = policy === 'ask' && !held.installs ? packages : [];
  return absent.length + unaccepted.length === 0 ? null : askFor(name, unaccepted, absent);
}

/** Everything that a person has to answer, at once. */
function askFor(name: string, packages: SkillNeeds['packages'], names: readonly string[]): NativeRefusal {
  const question: NativeQuestion = {
    packages: packages.map(({ ecosystem, name: wantedName, wanted, from }) => ({
      ecosystem,
      name: wantedName,
      wanted,
      from,
    })),
    environment: names.map((variable) => ({ name: variable, secret: isSecretVariable(variable) })),
  };
  const details: string[] = [];
  if (packages.length > 0)
    details.push(
      `${name} needs packages that are not part of it: ${listPackages(packages)}. Accept their installation in its box: --install.`,
    );
  const plain = question.environment.filter(({ secret }) => !secret).map((variable) => variable.name);
  const secret = question.environment.filter((variable) => variable.secret).map((variable) => variable.name);
  if (names.length > 0) details.push(`${name} needs ${names.join(', ')} in its environment.`);
  if (plain.length > 0) details.push(`Give ${plain.join(', ')} with the run: --env NAME=value.`);
  if (secret.length > 0) details.push(`Store ${secret.join(', ')} as a secret of the skill: --secret NAME.`);
  return { reason: packages.length > 0 ? 'needs_install' : 'missing_env', detail: details.join(' '), question };
}

const refuse = (reason: NativeRefusal['reason'], detail: string): NativeRefusal => ({ reason, detail });

function isInstalled(program: string): boolean {
  return ALWAYS.has(program) || BINARIES.some((folder) => isExecutable(`${folder}/${program}`));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function runIn(runtime: Runtime, order: NativeOrder): Promise<NativeRan> {
  const { skill, given, stdin, input_files, limits, on_output, signal } = order;
  const { entry } = skill;
  if (entry === null) throw new Error('A skill without a script was run.');
  const pypi = await preparedSet(runtime, order, 'pypi');
  const prepared = { pypi, npm: await preparedSet(runtime, order, 'npm') };
  const result = await runtime.runScript({
    language: entry.language,
    entry: entry.path,
    files: skill.contents,
    stdin,
    limits,
    packages: prepared,
    env: Object.assign({}, given.environment, given.secrets),
    secrets: Object.values(given.secrets),
    egress: egressOf(given.hosts),
    ...defined({
      input_files: input_files || undefined,
      on_output,
      signal,
    }),
  });
  const installed = (['npm', 'pypi'] as const).flatMap((ecosystem) => {
    const set = prepared[ecosystem];
    return set === null ? [] : [{ ecosystem, lock_sha256: set.lock_sha256, tree_sha256: set.tree_sha256 }];
  });
  return Object.assign(result, { packages_installed: installed });
}

/** Locks are a few kilobytes; this one has thousands of packages. */
const MOST_LOCK_BYTES = 2_097_152;

/**
 * The packages of one ecosystem, by the lock of an earlier run where there is one.
 *
 * @throws Problem `packages.conflict` (`lock_changed`) if the registry has other files for it now.
 */
async function preparedSet(runtime: Runtime, order: NativeOrder, ecosystem: Ecosystem): Promise<PreparedSet | null> {
  const { skill, needs, locks, signal, on_step } = order;
  const set = setOf(needs, ecosystem);
  if (set === null) return null;
  const wanted = packagesDigest(needs, ecosystem);
  const kept = locks === null ? null : await locks.find(ecosystem, wanted);
  const options = {
    signal,
    on_step: ({ step, bytes }: PrepareStep) => on_step?.(bytes > 0 ? `${step} ${(bytes / 1e6).toFixed(1)} MB` : step),
  };
  const prepared = await runtime.prepareSet(Object.assign({}, set, { lock: kept?.content ?? null }), options);
  if (locks === null) return prepared;
  if (kept === null) {
    const { lock_file, lock_sha256, tree_sha256 } = prepared;
    const content = await readFile(lock_file);
    if (content.length > MOST_LOCK_BYTES) throw lockTooLarge(skill.name);
    await locks.keep(ecosystem, wanted, { content, lock_sha256, tree_sha256 });
  } else if (prepared.tree_sha256 !== kept.tree_sha256) throw lockChanged(skill.name);
  return prepared;
}

function setOf({ packages }: SkillNeeds, ecosystem: 'npm' | 'pypi'): PackageSet | null {
  const wanted = packages
    .filter((need) => need.ecosystem === ecosystem)
    .map(({ name, wanted: range }) => ({ name, wanted: range }));
  return wanted.length === 0 ? null : { ecosystem, packages: wanted, lock: null };
}

/** Some write the map as JSON in a text. */
function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'string' && value.startsWith('{') && value.length < 16_384) {
    try {
      return recordOf(JSON.parse(value));
    } catch {
      return {};
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
