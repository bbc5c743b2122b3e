# tries: every byte, cut characters, nulls and invalid UTF-8 on both streams and in a file
# when: soak
# ends: completed
# keeps: bytes
for i in {0..255}; do printf "\\x$(printf %x $i)"; done | tee /workspace/output/bytes; printf '\xff\xfe\xc3\x28\xed\xa0\x80\xf0\x9f\x00' >&2; printf '\xf0\x9f'
