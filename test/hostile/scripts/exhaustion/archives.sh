# tries: bombs for gzip and tar: what is small packed and huge unpacked, in layers
# when: soak
# ends: completed, failed, memory_exceeded, timed_out, output_exceeded
# limits: {"timeout_ms":5000}
head -c 30000000 /dev/zero | gzip > a.gz; for i in 1 2 3 4; do cat a.gz a.gz > b.gz; mv b.gz a.gz; done
zcat a.gz | wc -c; gunzip -c a.gz | gzip | zcat | wc -c; gunzip -k a.gz; tar xzf a.gz; tar czf - /dev/zero | head -c 99 | wc -c
