import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import './module-paths.mjs';

// Preloaded in every thread before the first TypeScript file, so that cached files need no type stripping. Without it,
// each thread loads the type stripper: 30 MB and about 300 ms. Plain JavaScript for the same reason. NODE_COMPILE_CACHE
// names another directory if the program's own is not writable.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/capstan', import.meta.url)));
