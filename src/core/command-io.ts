/** Input and output of a command; `process` implements it. */
export interface CommandIo {
  stdin: AsyncIterable<Uint8Array>;
  stdout: Output;
  stderr: Output;
}

export interface Output {
  write(chunk: string | Uint8Array): unknown;
  isTTY?: boolean;
}
