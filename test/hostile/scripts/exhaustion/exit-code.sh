# tries: ends with a code that no process can have
# ends: completed, failed
exit 99999999999999999999999999
