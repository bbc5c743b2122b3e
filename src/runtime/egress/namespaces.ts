import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { defaultLaunch, makeNamespace, type Namespace, type NamespaceLaunch } from './namespace.ts';

/** Namespaces for gates, with one kept ready, because making one takes longer than starting a box. */
export interface Namespaces {
  /**
   * One that listens on these ports and no others.
   *
   * @param low A port below 1,024 at which the program of the box listens.
   * @throws `runs.unavailable` (`egress_unavailable`), and `http.invalid` where both listen at a port.
   */
  take(ports: readonly number[], low?: number): Promise<Namespace>;
  /** Makes the spare ones now, and resolves when they are ready or could not be made. */
  ready(): Promise<void>;
  /** Closes those that were not taken. */
  close(): Promise<void>;
}

interface NamespacesOptions {
  launch?: NamespaceLaunch | null;
  /** How many are kept ready, once the first was taken. Each is six descriptors and no process. */
  spares?: number;
}

/** A start that follows takes the processor first. */
const REFILL_MS = 1_000;
/** Ports of most grants: https, and http so that attempts to use it are recorded. */
const USUAL_PORTS = [443, 80];

export function openNamespaces({ launch = defaultLaunch(), spares = 1 }: NamespacesOptions = {}): Namespaces {
  const ready: Namespace[] = [];
  const making = new Set<Promise<void>>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const make = (ports: readonly number[], low?: number): Promise<Namespace> => {
    if (launch === null)
      throw runtimeProblem(
        'runs.unavailable',
        'Could not set up network access for the box: bubblewrap is not installed. Install bubblewrap.',
        { reason: 'egress_unavailable' },
      );
    return makeNamespace(launch, ports, low);
  };
  const makeSpare = (): void => {
    const one = make(USUAL_PORTS).then(
      (namespace) => {
        if (closed) namespace.close();
        else ready.push(namespace);
      },
      // The next gate makes its own and reports why that fails.
      () => {},
    );
    making.add(one);
    void one.finally(() => making.delete(one));
  };
  const refill = (): void => {
    clearTimeout(timer);
    while (!closed && ready.length + making.size < spares) makeSpare();
  };
  return {
    async take(ports, low) {
      if (low !== undefined && ports.includes(low)) throw portInUse(low);
      const usual = low === undefined && ports.every((port) => USUAL_PORTS.includes(port));
      const spare = usual ? ready.shift() : undefined;
      const all = [...new Set([...ports, ...USUAL_PORTS])].filter((port) => port !== low);
      const namespace = spare ?? (await make(all, low));
      clearTimeout(timer);
      timer = setTimeout(refill, REFILL_MS).unref();
      return namespace;
    },
    async ready() {
      refill();
      await Promise.all(making);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(making);
      for (const namespace of ready.splice(0)) namespace.close();
    },
  };
}

const portInUse = (port: number): Problem =>
  coreProblem('http.invalid', `The server listens at port ${port}, so no host can be granted at this port.`, {
    reason: 'input',
    errors: [{ pointer: '/hosts', detail: `must not name port ${port}` }],
  });
