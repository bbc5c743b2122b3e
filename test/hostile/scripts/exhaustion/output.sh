# tries: one gigabyte of output, by one command and by many
# ends: output_exceeded, timed_out
# limits: {"timeout_ms":4000}
while :; do printf '%65536s\n' x; printf '%65536s\n' x >&2; done
