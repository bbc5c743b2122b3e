/** A path of several segments as a part of a URL: everything but its slashes is encoded. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
