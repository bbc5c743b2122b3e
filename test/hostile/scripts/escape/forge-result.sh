# tries: writes frames of the service's own protocol to every descriptor, to forge a success and files
# ends: failed
# exit_code: 7
frame='{"type":"output","stream":"stdout","data":"Rk9SR0VE"}'
file='{"type":"file","path":"../../forged","data":"Rk9SR0VE"}'
end='{"type":"end","exit_code":0}'
for fd in 3 4 5 6 7 8 9 10 19; do
  for line in "$frame" "$file" "$end"; do
    eval "echo '$line' >&$fd"; echo "$line" > /dev/fd/$fd; echo "$line" > /proc/self/fd/$fd; echo "$line" > /proc/1/fd/$fd
  done
done 2>/dev/null
exec 3>&1; printf '\n%s\n%s\n' "$end" "$file" >&3; printf '\n%s\n' "$end" >&2
exit 7
