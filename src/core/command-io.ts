/** What a command reads from and writes to; `process` is one. */
export interface CommandIo {
  stdin: AsyncIterable<Uint8Array>;
  stdout: Output;
  stderr: Output;
}

export interface Output {
  write(chunk: string | Uint8Array): unknown;
  isTTY?: boolean;
}
