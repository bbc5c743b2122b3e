import type { RunEnvironment } from '../result.ts';

/**
 * The environment of a run after one more script of it has ended: isolation and engine are those of the last, everything else is of all
 * of them together.
 */
export function withScript(before: RunEnvironment, script: RunEnvironment): RunEnvironment {
  const { isolation, engine } = script;
  return {
    ...before,
    isolation,
    engine,
    network: before.network === 'none' ? script.network : before.network,
    hosts: hostsOf(before.hosts, script.hosts),
    resources: resourcesOf(before.resources, script.resources),
    packages: [...new Map([...before.packages, ...script.packages].map((set) => [set.tree_sha256, set])).values()],
  };
}

type Hosts = RunEnvironment['hosts'];

/** All scripts of a run have the same grants. */
function hostsOf(before: Hosts, script: Hosts): Hosts {
  if (before === null || script === null) return before ?? script;
  const uses = new Map(before.uses.map((use) => [keyOf(use), use]));
  for (const use of script.uses) {
    const known = uses.get(keyOf(use));
    const sum = known === undefined ? use : summed(known, use);
    uses.set(keyOf(use), sum);
  }
  return { granted: script.granted, uses: [...uses.values()] };
}

type Use = NonNullable<Hosts>['uses'][number];

const keyOf = ({ host, port, outcome, reason }: Use): string => `${outcome} ${reason} ${port} ${host}`;

const summed = (a: Use, b: Use): Use =>
  Object.assign({}, a, {
    connections: a.connections + b.connections,
    bytes_in: a.bytes_in + b.bytes_in,
    bytes_out: a.bytes_out + b.bytes_out,
  });

type Resources = RunEnvironment['resources'];

function resourcesOf(before: Resources, script: Resources): Resources {
  if (before === null || script === null) return before ?? script;
  return {
    cpu_ms: before.cpu_ms + script.cpu_ms,
    memory_bytes: Math.max(before.memory_bytes, script.memory_bytes),
    processes: Math.max(before.processes, script.processes),
  };
}
