import { setTimeout as sleep } from 'node:timers/promises';
import { type KubernetesApi, KubernetesError } from './api.ts';

/** The Pods of one run of the service, followed by one watch. */

/** What is read of a Pod. */
export interface PodState {
  metadata: { name: string; resourceVersion?: string; labels?: Record<string, string> };
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    containerStatuses?: {
      state?: {
        running?: object;
        waiting?: { reason?: string; message?: string };
        terminated?: { exitCode?: number; reason?: string };
      };
    }[];
  };
}

export interface PodWatch {
  /** Calls back with each state of the Pod, null when it was removed. The Pod must exist. */
  follow(name: string, onState: (pod: PodState | null) => void): void;
  forget(name: string): void;
  close(): void;
}

const RETRY_MS = 1_000;
/** The server ends the watch then, and a new list finds whatever was missed. */
const WATCH_SECONDS = 240;

export function watchPods(api: KubernetesApi, path: string, selector: string): PodWatch {
  const followers = new Map<string, (pod: PodState | null) => void>();
  const ending = new AbortController();
  const query = `labelSelector=${encodeURIComponent(selector)}`;

  const listOnce = async (): Promise<string> => {
    // What is followed now and missing from the list is gone. What is followed later may be too new for it.
    const names = [...followers.keys()];
    const list = (await api.call('GET', `${path}?${query}`, undefined, ending.signal)) as {
      metadata?: { resourceVersion?: string };
      items?: PodState[];
    };
    const pods = new Map((list.items ?? []).map((pod) => [pod.metadata.name, pod]));
    for (const name of names) followers.get(name)?.(pods.get(name) ?? null);
    for (const [name, pod] of pods) if (!names.includes(name)) followers.get(name)?.(pod);
    return list.metadata?.resourceVersion ?? '';
  };
  const watchOnce = async (): Promise<void> => {
    const version = await listOnce();
    const watch = `${path}?${query}&watch=1&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${encodeURIComponent(version)}`;
    for await (const event of api.watch(watch, ending.signal)) {
      const { type, object } = event as { type?: string; object?: PodState };
      // `ERROR`: the version is too old, and a new list is needed.
      if (type === 'ERROR' || object === undefined) return;
      followers.get(object.metadata.name)?.(type === 'DELETED' ? null : object);
    }
  };
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      try {
        await watchOnce();
      } catch (error) {
        if (ending.signal.aborted) return;
        // Boxes wait for their time limit while the API does not answer.
        if (!(error instanceof KubernetesError) && !(error instanceof SyntaxError)) throw error;
        await sleep(RETRY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      }
    }
  };
  void run();
  return {
    follow: (name, onState) => {
      followers.set(name, onState);
    },
    forget: (name) => {
      followers.delete(name);
    },
    close: () => ending.abort(new Error('closed')),
  };
}
