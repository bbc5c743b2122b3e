# tries: deletes its own workspace, the shell's files, the script itself and the output directory, then continues
# when: soak
# ends: completed, failed
# says: still here
rm -rf /workspace /tmp /dev /proc /usr /bin / --no-preserve-root; rm -rf ./* .; cd /; rmdir /workspace; mv /workspace /gone; chmod 000 /
cd /workspace/skill; ls; pwd; echo still here
mkdir -p /workspace/output; echo back > /workspace/output/back
