/** Whether a host name or address, as a URL or HOST has it, is this machine alone. */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|\[?::ffff:127\.\d+\.\d+\.\d+\]?)$/i.test(host);
