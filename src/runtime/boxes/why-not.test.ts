import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HostFacts, whyNot } from './why-not.ts';

const NO_FACTS: HostFacts = {
  max_user_namespaces: '96365',
  unprivileged_userns_clone: null,
  apparmor_restrict: null,
  container: false,
  unit: false,
  filtered: false,
};

const REFUSED = 'bwrap: No permissions to create new namespace, likely because the kernel does not allow it.';

for (const [title, complaint, facts, reason] of [
  ['user namespaces are disabled', REFUSED, { max_user_namespaces: '0' }, /max_user_namespaces is 0/],
  ['too many user namespaces', 'bwrap: Creating new namespace failed: (ENOSPC)', {}, /used up/],
  ["Debian's sysctl", REFUSED, { unprivileged_userns_clone: '0' }, /unprivileged_userns_clone is 0/],
  ['AppArmor', 'bwrap: setting up uid map: Permission denied', { apparmor_restrict: '1' }, /AppArmor/],
  ['AppArmor, at a later step', 'bwrap: loopback: Failed RTM_NEWADDR', { apparmor_restrict: '1' }, /AppArmor/],
  ["a container's seccomp filter", REFUSED, { filtered: true, container: true }, /seccomp filter/],
  ["a systemd unit's seccomp filter", REFUSED, { filtered: true, unit: true }, /systemd unit/],
  [
    "a container's seccomp filter for host names",
    "bwrap: Can't set hostname to box: Operation not permitted",
    { filtered: true, container: true },
    /seccomp filter/,
  ],
  ['a container', REFUSED, { container: true }, /container refuses/],
  ['a masked /proc', "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", {}, /masked/],
  ['an unknown error', 'bwrap: Something new', {}, /Something new/],
] as const)
  test(`names the reason and a fix: ${title}`, () => {
    const found = whyNot(complaint, { ...NO_FACTS, ...facts });
    assert.match(found.reason, reason);
    assert.notEqual(found.fix, '');
  });
