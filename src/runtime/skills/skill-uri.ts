/** `skill://{name}/{+path}`: the address of a skill's file as a resource. Names and paths need no escaping. */
export const skillUri = (name: string, path: string): string => `skill://${name}/${path}`;
