import { parentPort, workerData } from 'node:worker_threads';
import { parseYaml } from './parse-yaml.ts';

// One document, then the thread ends. A throw reaches the other side as its `error`.
parentPort?.postMessage(parseYaml(workerData as string));
