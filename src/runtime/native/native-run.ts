import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { defined } from '#core/defined.ts';
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
} from './native-scripts.ts';
import { packagesDigest, type SkillNeeds } from './needs.ts';
import { isSecretVariable } from './secret-variable.ts';

/** One native run, for the service and for the command line of a user's own machine. */

/** `off`: never. `ask`: packages are installed for callers that accept it. `allow`: for every caller. */
type NativePolicy = 'off' | 'ask' | 'allow';

const BINARIES = ['/usr/local/bin', '/usr/bin', '/bin'];
/** Every box has them. */
const ALWAYS = new Set(['node', 'bash', 'sh']);

/** Checks the files and this machine before anything is opened. */
export function refusalOf(
  { name }: Skill,
  needs: SkillNeeds,
  policy: NativePolicy,
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

/** Prepares the packages and runs the script. `share` is not read: the caller has a place already. */
export async function runInBox(
  runtime: Pick<Runtime, 'prepareSet' | 'runScript'>,
  order: Omit<NativeOrder, 'share'>,
): Promise<NativeRan> {
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
async function preparedSet(
  runtime: Pick<Runtime, 'prepareSet'>,
  order: Omit<NativeOrder, 'share'>,
  ecosystem: Ecosystem,
): Promise<PreparedSet | null> {
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
