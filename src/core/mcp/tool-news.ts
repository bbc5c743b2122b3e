/**
 * Whether the tools of a session's server may have changed unnoticed. A server can announce changes only while a channel
 * for that is open, so what was listed before the channel opened, or while it was closed, says nothing about now.
 */
export interface ToolNews {
  /**
   * The same object as long as the server would have announced a change and has not. Null if it cannot announce one now.
   * Remember what was listed by the object that was there before the list was asked for.
   */
  unchanged(): object | null;
  /** The server's capability. */
  declare(): void;
  /** The channel opened or closed. */
  hear(isOpen: boolean): void;
  changed(): void;
}

export function openToolNews(): ToolNews {
  let isDeclared = false;
  let mark: object | null = null;
  return {
    unchanged: () => (isDeclared ? mark : null),
    declare: () => {
      isDeclared = true;
    },
    hear: (isOpen) => {
      mark = isOpen ? {} : null;
    },
    changed: () => {
      if (mark !== null) mark = {};
    },
  };
}
