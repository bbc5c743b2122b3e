/** Whether a browser resolves the path to this host. Rejects backslashes, control characters and double slashes. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.includes('\\');
