# tries: doubles a variable, fills an array, and nests substitutions
# ends: memory_exceeded, failed, timed_out
# when: soak
# limits: {"timeout_ms":4000}
x=xxxxxxxxxxxxxxxx
for ((i = 0; i < 40; i++)); do x="$x$x"; a[i]=$x; done
echo "${#x}"
while :; do y=$(printf '%s%s' "$y" "$x"); done
