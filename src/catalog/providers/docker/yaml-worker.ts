import { parentPort, workerData } from 'node:worker_threads';
import { parseYaml } from './parse-yaml.ts';

// Parses one document; then the thread exits. An exception reaches the parent as `error`.
parentPort?.postMessage(parseYaml(workerData as string));
