import { existsSync, readFileSync } from 'node:fs';

/** Why bubblewrap cannot make a box here, for the operator. */
export interface WhyNot {
  reason: string;
  fix: string;
}

/** Facts about the host that explain a failure. */
export interface HostFacts {
  /** Content of a file, trimmed; null if it does not exist. */
  max_user_namespaces: string | null;
  unprivileged_userns_clone: string | null;
  apparmor_restrict: string | null;
  /** Whether the service is in a container, as far as that can be seen. */
  container: boolean;
  /** Whether systemd started the service as a unit. */
  unit: boolean;
  /** Whether a seccomp filter is over the service itself. */
  filtered: boolean;
}

export const NOT_INSTALLED: WhyNot = {
  reason: 'Bubblewrap (bwrap) is not installed.',
  fix: 'Install it (apt-get install bubblewrap) and restart the service.',
};

export const OPEN_FILES: WhyNot = {
  reason:
    'The service was started with open files that every box would get, and bash, which can close them, is missing.',
  fix: 'Start the service without them, or install bash.',
};

const IN_UNIT =
  'Compare the unit with deploy/capstan.service: RestrictNamespaces= must be absent, and SystemCallFilter= must allow @mount.';

const IN_CONTAINER =
  'Start the container with the seccomp profile in deploy/seccomp.json and with an unmasked /proc (--security-opt ' +
  'seccomp=deploy/seccomp.json --security-opt systempaths=unconfined; podman: --security-opt unmask=ALL).';

export function readFacts(): HostFacts {
  return {
    max_user_namespaces: read('/proc/sys/user/max_user_namespaces'),
    unprivileged_userns_clone: read('/proc/sys/kernel/unprivileged_userns_clone'),
    apparmor_restrict: read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    container:
      existsSync('/.dockerenv') || existsSync('/run/.containerenv') || existsSync('/run/secrets/kubernetes.io'),
    unit: /\.service$/m.test(read('/proc/self/cgroup') ?? ''),
    filtered: /^Seccomp:\s+2$/m.test(read('/proc/self/status') ?? ''),
  };
}

/** `complaint` is what bubblewrap wrote to standard error. */
export function whyNot(complaint: string, facts: HostFacts): WhyNot {
  if (facts.max_user_namespaces === '0' || complaint.includes('ENOSPC'))
    return {
      reason: 'The kernel allows no user namespaces here: user.max_user_namespaces is 0 or used up.',
      fix: 'sysctl -w user.max_user_namespaces=10000',
    };
  if (facts.unprivileged_userns_clone === '0')
    return {
      reason: 'The kernel allows user namespaces to root only: kernel.unprivileged_userns_clone is 0.',
      fix: 'sysctl -w kernel.unprivileged_userns_clone=1',
    };
  if (facts.apparmor_restrict === '1' && /uid map|RTM_NEWADDR|namespace/.test(complaint))
    return {
      reason:
        'AppArmor restricts user namespaces of programs without a profile: ' +
        'kernel.apparmor_restrict_unprivileged_userns is 1.',
      fix: 'Load the AppArmor profile deploy/apparmor on the host and start the service under it, or set that sysctl to 0.',
    };
  if (/namespace|set hostname/.test(complaint) && facts.filtered && facts.unit && !facts.container)
    return { reason: 'A seccomp filter of the systemd unit refuses user namespaces.', fix: IN_UNIT };
  if (complaint.includes('mount proc'))
    return { reason: 'A new /proc cannot be mounted, because parts of /proc are masked here.', fix: IN_CONTAINER };
  if (/namespace|set hostname/.test(complaint) && (facts.filtered || facts.container))
    return {
      reason: facts.filtered
        ? 'A seccomp filter over the service, usually that of a container, refuses user namespaces.'
        : 'The container refuses user namespaces.',
      fix: IN_CONTAINER,
    };
  const said = complaint.trim().split('\n').slice(0, 3).join(' ').slice(0, 500);
  return {
    reason: `Bubblewrap could not start a box: ${said || 'it gave no reason'}`,
    fix: 'Run capstand doctor as the user of the service, and see bwrap(1).',
  };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    return null;
  }
}
