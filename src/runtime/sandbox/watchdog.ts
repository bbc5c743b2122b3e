import { readFile } from 'node:fs/promises';

const INTERVAL_MS = 20;
const PAGE_BYTES = 4096;

/**
 * Calls `on_exceeded` once when the resident memory of the process and its descendants passes the limit. Reads
 * /proc; on systems without it V8's own limits and just-bash's remain. Returns the way to stop it.
 */
export function watchMemory(pid: number, limit_bytes: number, on_exceeded: () => void): () => void {
  let busy = false;
  const look = async () => {
    if (busy) return;
    busy = true;
    const resident = await residentBytes(pid);
    busy = false;
    if (resident > limit_bytes) {
      clearInterval(timer);
      on_exceeded();
    }
  };
  const timer = setInterval(look, INTERVAL_MS);
  return () => clearInterval(timer);
}

/** 0 if the process has ended or the system has no /proc. */
export async function residentBytes(pid: number): Promise<number> {
  const [statm, children] = await Promise.all([read(`/proc/${pid}/statm`), read(`/proc/${pid}/task/${pid}/children`)]);
  const own = Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES;
  const below = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(residentBytes));
  return below.reduce((sum, bytes) => sum + bytes, own);
}

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
