# tries: takes over the reader's terminal: moves the cursor, renames the window, answers for the keyboard, hides lines
# when: soak
# ends: completed
# says: END
printf '\033[2J\033[H\033]0;owned\007\033]52;c;ZXZpbA==\007\033[6n\033[?1049h\033P+q\033\\\r\b\b\b\x9b31m\u202e\u2066END\n'
printf '\033]8;;http://127.0.0.1:@PORT@/\033\\click\033]8;;\033\\\000\x7f' >&2
