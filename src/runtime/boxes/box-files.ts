/** Inside the box. Programs look up their user's name and folder. */
export const BOX_USER = 1000;
export const HOSTNAME = 'box';

/** Small files of /etc that a box gets as text, the same for all. */
export const BOX_FILES: readonly { path: string; text: string }[] = [
  { path: '/etc/passwd', text: `box:x:${BOX_USER}:${BOX_USER}:box:/tmp:/bin/sh\n` },
  { path: '/etc/group', text: `box:x:${BOX_USER}:\n` },
  { path: '/etc/hosts', text: `127.0.0.1 localhost\n::1 localhost\n127.0.0.1 ${HOSTNAME}\n` },
  { path: '/etc/nsswitch.conf', text: 'passwd: files\ngroup: files\nhosts: files dns\n' },
];
