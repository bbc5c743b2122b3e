# tries: makes the output directory a link to the input, a file, or nothing
# when: soak
# ends: completed
# keeps:
# says: END
rm -r /workspace/output; ln -s /workspace/input /workspace/output; cat /workspace/output/input.json
echo END
