/** A path of this service and of no other, whatever a browser makes of slashes, backslashes and control characters. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.includes('\\');
