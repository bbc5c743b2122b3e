# tries: a fork bomb, background jobs without end, and pipelines of themselves
# ends: timed_out, failed, memory_exceeded
# limits: {"timeout_ms":700}
bomb() { bomb | bomb & }
bomb
while :; do (sleep 100 &) ; bash -c 'while :; do :; done' & done
