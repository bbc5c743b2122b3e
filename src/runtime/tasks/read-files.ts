import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { filesText } from './task.ts';

export interface FileGiven {
  path: string;
  content_base64: string;
}

const MOST_BYTES = 512 * 1024;
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** A task's input files as they are stored. 422 `runs.input_invalid` (`files`) names the first that does not fit. */
export function readFiles(given: readonly FileGiven[]): string {
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const [at, { path, content_base64 }] of given.entries()) {
    if (!path.split('/').every((segment) => SEGMENT.test(segment)))
      throw unfit(
        at,
        'path',
        'must be relative and use only letters, digits, ".", "_", "-" and "/"; no part starts with "."',
      );
    if (path === 'input.json') throw unfit(at, 'path', 'is reserved for the task’s input');
    if (files.has(path)) throw unfit(at, 'path', 'is given more than once');
    const content = Buffer.from(content_base64, 'base64');
    if (content.toString('base64') !== content_base64)
      throw unfit(at, 'content_base64', 'must be standard base64 with padding');
    bytes += content.length;
    if (bytes > MOST_BYTES)
      throw unfit(at, 'content_base64', `is too large: the files may have ${MOST_BYTES} bytes in all`);
    files.set(path, content);
  }
  const directories = [...files.keys()].flatMap((path) =>
    path
      .split('/')
      .slice(0, -1)
      .map((_, at, all) => all.slice(0, at + 1).join('/')),
  );
  const both = directories.find((directory) => files.has(directory));
  if (both !== undefined)
    throw unfit([...files.keys()].indexOf(both), 'path', 'is a file here and a directory in another path');
  return filesText(files);
}

const unfit = (at: number, field: keyof FileGiven, detail: string): Problem =>
  runtimeProblem('runs.input_invalid', `input_files[${at}].${field} ${detail}.`, {
    reason: 'files',
    errors: [{ pointer: `/input_files/${at}/${field}`, detail }],
  });
