import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import './module-paths.mjs';

// Preloaded in every thread before the first TypeScript file, so that cached files need no type stripping. Without it,
// each thread loads the type stripper: 30 MB and about 300 ms. Plain JavaScript for the same reason. NODE_COMPILE_CACHE
// names another directory if the program's own is not writable.
// Libuv's threads look names up, and read files meanwhile: `core/outbound/system-resolve.ts` says why 4 are too few. Nothing has used
// them yet. They belong to the process, so worker threads keep the environment that they were given.
if (isMainThread) process.env.UV_THREADPOOL_SIZE ??= '16';

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/capstan', import.meta.url)));
