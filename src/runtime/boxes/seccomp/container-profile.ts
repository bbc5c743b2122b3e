import { EAFNOSUPPORT, ENOSYS, EPERM, NAMESPACE_FLAGS, TERMINAL_REQUESTS } from './filter.ts';
import { ABSENT, REFUSED } from './syscalls.ts';

/** The filter of boxes in the form that container engines read (OCI Runtime Specification, `linux.seccomp`). */

interface Rule {
  names: string[];
  action: 'SCMP_ACT_ERRNO';
  errnoRet: number;
  args?: { index: number; value: number; valueTwo?: number; op: 'SCMP_CMP_EQ' | 'SCMP_CMP_MASKED_EQ' }[];
}

/** Unix, IPv4, IPv6 and netlink. */
const FAMILIES = [1, 2, 10, 16];
const MOST_FAMILY = 46;

export function containerProfile(): string {
  const refuse = (names: string[], errnoRet: number): Rule => ({ names, action: 'SCMP_ACT_ERRNO', errnoRet });
  const bits = Array.from({ length: 32 }, (_, bit) => 2 ** bit).filter((bit) => (NAMESPACE_FLAGS & bit) !== 0);
  const families = Array.from({ length: MOST_FAMILY + 1 }, (_, family) => family);
  const rules: Rule[] = [
    refuse(Object.keys(REFUSED), EPERM),
    refuse([...Object.keys(ABSENT), 'clone3'], ENOSYS),
    ...bits.map((bit) =>
      Object.assign(refuse(['clone'], EPERM), {
        args: [{ index: 0, value: bit, valueTwo: bit, op: 'SCMP_CMP_MASKED_EQ' as const }],
      }),
    ),
    ...TERMINAL_REQUESTS.map((request) =>
      Object.assign(refuse(['ioctl'], EPERM), { args: [{ index: 1, value: request, op: 'SCMP_CMP_EQ' as const }] }),
    ),
    ...families
      .filter((family) => !FAMILIES.includes(family))
      .map((family) =>
        Object.assign(refuse(['socket'], EAFNOSUPPORT), {
          args: [{ index: 0, value: family, op: 'SCMP_CMP_EQ' as const }],
        }),
      ),
  ];
  const architectures = ['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'];
  return JSON.stringify({ defaultAction: 'SCMP_ACT_ALLOW', architectures, syscalls: rules });
}
