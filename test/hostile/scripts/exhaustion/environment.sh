# tries: exports a million variables and huge arguments, and starts shells with them
# ends: completed, failed, memory_exceeded, timed_out, output_exceeded
# when: soak
# limits: {"timeout_ms":2500}
for ((i = 0; i < 20000; i++)); do export "v$i=$(printf '%100s' x)"; done
x=$(printf '%5000000s' x); export x; bash -c 'echo "${#x}"' "$x" "$x" "$x"; env | wc -c; printf '%s\n' "$x" | xargs echo | wc -c
