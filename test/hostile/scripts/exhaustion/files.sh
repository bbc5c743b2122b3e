# tries: makes files and directories without end
# when: soak
# ends: timed_out, memory_exceeded, failed
# limits: {"timeout_ms":700}
i=0; while :; do : > /workspace/output/f$i; mkdir -p /tmp/$i/$i/$i; ln -s /tmp /tmp/$i/l; i=$((i + 1)); done
