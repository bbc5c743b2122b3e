# tries: more output files than may be, in deep directories, and more bytes than may be
# ends: completed
# says: END
cd /workspace/output; for ((i = 0; i < 1500; i++)); do : > $i; done; d=.; for ((i = 0; i < 300; i++)); do d=$d/d; done; mkdir -p $d; : > $d/deep
head -c 90000 /dev/zero > big1; head -c 90000 /dev/zero > big2
echo END
