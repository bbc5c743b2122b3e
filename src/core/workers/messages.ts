/** Without a request, the module is only imported, so that the first request finds it loaded. */
export type ToThread = { module: string } | { module: string; request: unknown };

/** Start options of a thread: the priority that it sets for itself, as in `os.setPriority`. */
export interface ThreadData {
  priority: number | null;
}

export type FromThread =
  | { warm: true }
  | { begun: true; thread_id: number | null; cpu_ms: number }
  | { answer: unknown; cpu_ms: number }
  | { thrown: { name: string; message: string; stack: string } };
