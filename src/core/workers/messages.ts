/** Without a request the module is only imported, so that the first request finds it loaded. */
export type ToThread = { module: string } | { module: string; request: unknown };

/** What a thread is started with: the priority that it gives itself, as of `os.setPriority`. */
export interface ThreadData {
  priority: number | null;
}

export type FromThread =
  | { warm: true }
  | { begun: true; thread_id: number | null; cpu_ms: number }
  | { answer: unknown; cpu_ms: number }
  | { thrown: { name: string; message: string; stack: string } };
