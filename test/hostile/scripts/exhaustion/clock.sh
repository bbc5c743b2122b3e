# tries: changes clocks and the shell's own time to outlive its limit
# when: soak
# ends: timed_out
# limits: {"timeout_ms":600}
date -s '1970-01-01'; date --set=@0; SECONDS=-99999999; EPOCHSECONDS=0; TMOUT=0; TZ=../../@FILE@ date; hwclock --set --date=0
end=$((SECONDS + 99999)); while [ $SECONDS -lt $end ]; do SECONDS=0; done; while :; do SECONDS=0; done
